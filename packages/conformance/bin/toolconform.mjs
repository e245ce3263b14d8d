#!/usr/bin/env node
// The installed `toolconform` command: the built main module.
import "../dist/main.js";
