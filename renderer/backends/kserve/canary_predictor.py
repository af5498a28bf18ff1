"""The predictor of a canary: what it says, over what the stable predictor says."""

from renderer.values.tree import Plain

Data = dict[str, Plain]


def over(stable: Data, canary: Data) -> Data:
    """Mappings join, all else replaces; what is empty, zero or false takes no other's place."""
    done = dict(stable)
    for key, value in canary.items():
        old = done.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            done[key] = over(old, value)
        elif value or (isinstance(value, int) and key not in done):
            done[key] = value
    return done
