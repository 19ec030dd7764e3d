package marker

// RepairOpening is the text of the user message that Repair inserts if the history does not begin with one. Inserting
// it loses nothing, while dropping the assistant's message would. The text is not a request that a model could carry
// out.
const RepairOpening = "[Conversation continues]"

// MissingResult is the text of the result that Repair adds to a call without one. It does not say that the tool failed
// or did not run, since that is unknown.
const MissingResult = "[No result was recorded for this call]"

// LostImage is the text that Repair puts in the place of an image whose data is no image.
const LostImage = "[An image was here, but its data is no image]"
