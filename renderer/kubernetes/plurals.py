"""What the API calls the objects of a kind in rights and in addresses: `networkpolicies`."""

#: Words that are plurals already.
_PLURALS = ("endpoints",)
_VOWELS = "aeiou"


def plural(kind: str) -> str:
    """By the rule that nearly all kinds follow; a CRD may say otherwise."""
    word = kind.lower()
    if word in _PLURALS:
        return word
    if word.endswith("s"):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        return f"{word[:-1]}ies"
    return f"{word}s"
