"""From checked specs to manifests: placing, templates, and a look at the result."""
