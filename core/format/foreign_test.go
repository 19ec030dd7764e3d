package format_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/validity"
)

// Every file of the corpus, read under every name: it is refused, or its pairs are whole.
func TestNoFileIsReadAsAnotherFormat(t *testing.T) {
	root := convtest.NeedCorpus(t)
	var files []string
	for _, dir := range []string{root, filepath.Join(filepath.Dir(root), "more")} {
		found, err := filepath.Glob(filepath.Join(dir, "*", "*.json*"))
		require.NoError(t, err)
		files = append(files, found...)
	}
	for i, file := range files {
		folder := filepath.Base(filepath.Dir(file))
		if folder == "usage" || folder == "texts" {
			continue
		}
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, name := range convtest.OneOfFew(format.Names(), i) {
			requireRefusedOrWhole(t, folder+"/"+filepath.Base(file), data, folder, name)
		}
	}
}

// Random conversations of every format, read under every other name: they are refused, or their pairs are whole.
func TestNoConversationIsReadAsAnotherFormat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		own := rapid.SampledFrom(convtest.Formats[:]).Draw(t, "own")
		name := rapid.SampledFrom(convtest.Formats[:]).Draw(t, "name")
		data := convtest.Conversation(t, own)
		if own != name {
			requireRefusedOrWhole(t, string(data), data, own, name)
		}
	})
}

// requireRefusedOrWhole reads data, which is in the format own, as the named format.
func requireRefusedOrWhole(t require.TestingT, file string, data []byte, own, name string) {
	c, err := format.Parse(data, name)
	if err != nil {
		require.IsType(t, &msg.Error{}, err)
		return
	}
	if own == name || own == msg.API(name) || name == msg.API(own) {
		return // the same messages: what breaks a rule breaks it in both
	}
	for _, rule := range validity.BrokenRules(c) {
		switch rule {
		case validity.A2Unanswered, validity.A3Orphan, validity.O1Unanswered, validity.O2Orphan, validity.R1Unanswered,
			validity.R1Orphan, validity.G2Count, validity.S1Unanswered, validity.S2Orphan:
			require.Fail(t, file+" is read as "+name+", and breaks "+string(rule))
		}
	}
}
