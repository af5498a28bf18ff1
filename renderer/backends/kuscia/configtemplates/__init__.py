"""Kuscia's config templates: what Kuscia's node makes of `AppImage.configTemplates`.

`parsing.parse` reads a template, `rendering.render` fills one in, and `needs.config_keys` says
what the domains' configuration managers must provide.
"""
