#!/usr/bin/env node
import { makeServer } from './greeter.js';

await makeServer().run({ stdio: true });
