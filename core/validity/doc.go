// Package validity holds every rule that a provider has for a conversation. Check reports what a provider would refuse,
// Repair repairs it, CheckAppend checks messages before they are appended, and CheckChange checks what a change left of
// a valid conversation. Rules lists the rules with their texts; providers.go lists the checks of each provider, with
// the rules that each reports.
//
// It is not a part of the API (see package core).
package validity
