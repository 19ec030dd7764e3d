package summarize

import "strings"

// Claude Code keeps its tasks with two tools: TaskCreate, whose result has the number of the task, and TaskUpdate.

const (
	taskTitle    = "task #"
	taskArrow    = " → "
	taskPending  = "pending"
	taskUpdated  = "updated" // its state is not known
	maxTask      = 200       // code points of a subject
	maxTaskState = 20
)

// createdTask reads the result of a TaskCreate: "Task #3 created successfully: Read the log".
func createdTask(text string) (id, subject string, ok bool) {
	rest, ok := strings.CutPrefix(text, "Task #")
	if !ok {
		return "", "", false
	}
	id, subject, both := strings.Cut(rest, " created successfully: ")
	return id, subject, both && isTaskID(id)
}

func isTaskID(id string) bool {
	return id != "" && len(id) <= 9 && strings.Trim(id, "0123456789") == ""
}
