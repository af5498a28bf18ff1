"""Kuscia's config templates: what Kuscia's node makes of `AppImage.configTemplates`.

`template.parse` reads a template, `insertion.render` fills one in, and `config_files.config_keys`
says what the domains' configuration managers must provide.
"""
