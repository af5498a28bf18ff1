"""From documents to composed environments and specs."""
