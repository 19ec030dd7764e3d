package view

import "tamp/core/internal/pass"

// View is a conversation as plans see it: with its summaries marked, its pairs, its counts and its usage.
type View = pass.Input
