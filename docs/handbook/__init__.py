"""The handbook: how the pages of `docs/` become a static site, which ``make docs`` builds."""
