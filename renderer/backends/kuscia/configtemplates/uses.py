"""Which config files of a serving insert a variable."""

from collections.abc import Iterator

from renderer.backends.kuscia.serving import Serving


def files_with(variable: str, serving: Serving) -> Iterator[str]:
    """The names of the files that a party's containers get and that mention a variable."""
    from renderer.backends.kuscia.configtemplates.files import config_files  # rarely asked for

    for party in serving.parties:
        for file in config_files(party.image) if party.image and party.template else ():
            is_got = any(user is party.template for user in file.users)
            if is_got and any(mention.name == variable for mention in file.mentions):
                yield file.key
