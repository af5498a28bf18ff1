"""The API server's messages, and the custom resources that they mean."""
