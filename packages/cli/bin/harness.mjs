#!/usr/bin/env node
// The installed `harness` command: the built main module.
import "../dist/main.js";
