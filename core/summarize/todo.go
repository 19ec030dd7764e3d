package summarize

import "strings"

// This file reads the bookkeeping of agents: todo lists and tasks.

// addTodo adds the items of a todo list, each with its state if it has one.
func addTodo(d *draft, k *call, turn int) {
	g := d.newGroup(groupSaid, "")
	item := ""
	flush := func(state string) {
		if item != "" {
			text := shortLine(item, 200)
			if state != "" {
				text += " (" + state + ")"
			}
			addTodoItem(d, g, turn, state, text)
		}
		item = ""
	}
	for _, f := range k.fields {
		switch f.name {
		case "content", "title", "step", "task", "text", "description", "todos", "subject":
			flush("")
			item = f.text
		case "status", "state":
			flush(f.text)
		}
	}
	flush("")
}

// addOldTodo adds the items of the todo list of an earlier summary.
func addOldTodo(d *draft, items []string, turn int) {
	g := d.newGroup(groupSaid, "")
	for _, item := range items {
		addTodoItem(d, g, turn, todoState(item), item)
	}
}

// addTodoItem adds the line of an item. What is done is hardly worth a line.
func addTodoItem(d *draft, g int32, turn int, state, text string) {
	worth := worthTodo
	if state == "completed" || state == "done" {
		worth /= 20
	}
	d.addUnit(g, partTodo, turn, worth, 0, text)
}

// Claude Code keeps its tasks with two tools: TaskCreate, whose result has the number of the task, and TaskUpdate. A
// task is one line, with its subject and its last state.

// addTask adds the state that a TaskUpdate sets. It reports whether the call is one.
func addTask(d *draft, k *call, turn int) bool {
	id, state, subject := first(k.fields, "taskId"), first(k.fields, "status"), first(k.fields, "subject")
	if !isTaskID(id) {
		return false
	}
	if subject == "" {
		subject = d.x.tasks[id]
	}
	d.setTask(id, shortLine(subject, maxTask), shortLine(state, maxTaskState), turn)
	return true
}

// addOldTask adds a task of an earlier summary and returns its group. ok is false if the line is no task.
func addOldTask(d *draft, line string, turn int) (g int32, ok bool) {
	rest, ok := strings.CutPrefix(line, taskTitle)
	end := strings.LastIndex(rest, taskArrow)
	if !ok || end < 0 {
		return 0, false
	}
	id, subject, _ := strings.Cut(rest[:end], ": ")
	if !isTaskID(id) {
		return 0, false
	}
	d.setTask(id, subject, rest[end+len(taskArrow):], turn)
	g = d.runs[taskTitle+id]
	d.groups[g].old = true
	return g, true
}
