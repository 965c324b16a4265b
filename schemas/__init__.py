"""JSON Schemas of the kernel's file shapes, one shape apiece; `document` tells them apart. Data only."""
