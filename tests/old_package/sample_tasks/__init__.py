"""Tasks that are no part of the workbench: one that works, and every way in which one can be broken."""
