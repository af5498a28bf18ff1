"""Bytes to trees and back: the only package that knows YAML and JSON as text."""
