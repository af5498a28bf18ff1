"""Arguments of engines, which serve language models: tables by version, command lines, memory."""
