"""Repositories of recordings, and the edits that were made in them."""


def files_below(folder):
    """The texts of the YAML files of a repository by their paths."""
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in folder.rglob("*.yaml")
    }


def edited(files, replacements):
    """The files with texts replaced, each of which is there exactly once.

    Without an old text a file is made, without a new one it is removed.
    """
    files = dict(files)
    for item in replacements:
        path, old, new = item["file"], item["old"], item["new"]
        if old is None or new is None:
            assert (path in files) == (old is not None), path
            files[path] = new
            continue
        assert files[path].count(old) == 1, (path, old)
        files[path] = files[path].replace(old, new)
    return {path: text for path, text in files.items() if text is not None}
