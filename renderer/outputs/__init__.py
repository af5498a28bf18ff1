"""Values to text: findings, diffs, previews, traces and pictures, one module per format."""
