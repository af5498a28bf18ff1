"""From bytes to trees and back: YAML and JSON, wording, and secrets in texts."""
