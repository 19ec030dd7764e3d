title: 中文会话：工具调用的配对 (a Chinese session)
description: A Chat Completions request body with prompts and answers in Chinese: a missing file, calls made in parallel, a wrong expectation corrected, a build that fails. Counters that divide characters by four are far off here.
model: claude-sonnet-4-5-20250929
openai model: gpt-5.1
branch: pairing-rules
package: ./core/msg
started: 2026-04-20T02:15:30Z

== system
你是一个编程助手，正在 Tamp 的代码仓库里工作。Tamp 是一个 Go 模块，用来压缩大模型代理的对话历史，让它装得进上下文窗口，同时不破坏接口的格式要求。
请用中文回答。先读代码，再下结论；改动要小；每次修改之后都要运行测试。没有亲眼看到的结果，不要当作事实来写。
互不依赖的工具调用请放在同一条消息里一起发出。

== user
有位用户发来一份会话日志，里面同一个 tool_use 的 id 在后面的回合里又出现了一次。请帮我确认 core/msg 里的配对逻辑会不会把结果配到错误的调用上。

几点要求：
1. 先读代码，说清楚现在的规则，再动手；
2. 不要修改公开的 API，也不要引入第三方依赖；
3. 测试写在 msg 包里，用标准库的 testing 就够了，说明文字用中文；
4. 如果发现规则本身有问题，先告诉我，不要自己改。

我记得相关的代码在 core/msg/pairing.go。

== say
好的，先看您提到的文件。

== call read_file
path: core/msg/pairing.go
expect: fails
shows: no such file

== say
没有 `pairing.go` 这个文件。我列一下目录，同时搜索配对相关的函数。

== call list_files
path: core/msg

== call search
pattern: \bPair(ing)?\b
path: core/msg

== say
配对逻辑在 `pair.go`。它依赖对话和块的定义，三个文件互不依赖，我一起读。

== call read_file
path: core/msg/pair.go
shows: func Pair(

== call read_file
path: core/msg/conversation.go

== call read_file
path: core/msg/block.go

== say
现在的规则是这样的：

1. `Pair` 从头到尾走一遍所有的块。遇到调用，就把它的位置记到同一个 id 的“未应答”列表里。
2. 遇到结果，就在同一个 id 的列表里找**最新的一条消息**，也就是离它最近的、还没有应答的调用，配成一对，然后把这个调用从列表里去掉。
3. 找不到未应答的调用，这个结果就是孤儿，不会配给任何调用。

因此，如果第一轮的调用已经得到应答，后面的回合再用同一个 id，结果只会配到新的那次调用上，不会错配。值得留意的是第一轮**没有**得到应答的情况：旧的调用会一直留在列表里。按“离得最近”的规则，新的结果仍然配给新的调用，旧的调用保持未应答，这也是对的。

读代码得出的结论还需要测试来证明。我写一个表格测试，覆盖这几种情况，再加上同一条消息里两个调用用了同一个 id 的极端情况。这种情况我预计也是“离得最近的优先”，也就是第一个结果配给第二个调用。

== call write_file
path: core/msg/pair_reuse_test.go
content:
| package msg
| 
| import "testing"
| 
| // 下面几个小函数让每个用例读起来像一段对话。
| func 调用(ids ...string) Message {
| 	m := Message{Role: Assistant}
| 	for _, id := range ids {
| 		m.Blocks = append(m.Blocks, Block{Kind: KindToolUse, ID: id, Name: "read_file"})
| 	}
| 	return m
| }
| 
| func 结果(ids ...string) Message {
| 	m := Message{Role: User}
| 	for _, id := range ids {
| 		m.Blocks = append(m.Blocks, Block{Kind: KindToolResult, ID: id})
| 	}
| 	return m
| }
| 
| // 同一个 id 被重复使用时，每个结果应当配到哪个调用。
| func TestPairReusedID(t *testing.T) {
| 	for _, c := range []struct {
| 		名称   string
| 		消息   []Message
| 		结果位置 Ref
| 		调用位置 Ref
| 		理由   string
| 	}{
| 		{"两轮都有应答", []Message{调用("a"), 结果("a"), 调用("a"), 结果("a")}, Ref{3, 0}, Ref{2, 0}, "第一次调用已经应答，不再参与"},
| 		{"第一轮的结果", []Message{调用("a"), 结果("a"), 调用("a"), 结果("a")}, Ref{1, 0}, Ref{0, 0}, "后来的调用不能抢走先前的结果"},
| 		{"第一轮没有应答", []Message{调用("a"), TextMessage(User, "停"), 调用("a"), 结果("a")}, Ref{3, 0}, Ref{2, 0}, "离得最近的调用优先"},
| 		{"并行调用", []Message{调用("a", "b"), 结果("b", "a")}, Ref{1, 0}, Ref{0, 1}, "结果的顺序可以和调用不同"},
| 		{"同一条消息里重复", []Message{调用("a", "a"), 结果("a", "a")}, Ref{1, 0}, Ref{0, 1}, "离得最近的调用优先"},
| 	} {
| 		t.Run(c.名称, func(t *testing.T) {
| 			p := Pair(&Conversation{Messages: c.消息})
| 			got, ok := p.Call(c.结果位置)
| 			if !ok || got != c.调用位置 {
| 				t.Errorf("结果 %v 配到了 %v（找到：%v），应当是 %v：%s", c.结果位置, got, ok, c.调用位置, c.理由)
| 			}
| 		})
| 	}
| }

== turn

== call run_tests
package: ./core/msg
run: TestPairReusedID
verbose: yes
expect: fails
shows: --- FAIL: TestPairReusedID/同一条消息里重复

== say
五个用例里有四个通过，只有“同一条消息里重复”失败了：第一个结果配给了第一个调用，和我的预期相反。在判断谁对谁错之前，我再看一遍文件开头的说明和取调用的那几行。

== call read_file
path: core/msg/pair.go
from: 1
to: 45

== call search
pattern: (?i)first such call
path: core/msg
shows: pair.go

== say
错的是我的预期，代码是对的。文件开头写得很清楚：结果属于它前面**最新的那条消息**里的调用；如果那条消息里有好几个相同的 id，就取其中的**第一个**。这很合理，因为同一轮里的结果通常按调用的顺序返回。我刚才把“最近的消息”误读成了“最近的块”。

我改测试，不改代码：第一个结果配第一个调用，并补上第二个结果配第二个调用的用例。

== call edit_file
path: core/msg/pair_reuse_test.go
old:
| 		{"同一条消息里重复", []Message{调用("a", "a"), 结果("a", "a")}, Ref{1, 0}, Ref{0, 1}, "离得最近的调用优先"},
new:
| 		{"同一条消息里重复，第一个", []Message{调用("a", "a"), 结果("a", "a")}, Ref{1, 0}, Ref{0, 0}, "同一轮里按调用的顺序"},
| 		{"同一条消息里重复，第二个", []Message{调用("a", "a"), 结果("a", "a")}, Ref{1, 1}, Ref{0, 1}, "第一个调用已经应答，轮到第二个"},

== turn

== call run_tests
package: ./core/msg
run: TestPairReusedID
verbose: yes
shows: --- PASS: TestPairReusedID

== call build
package: ./core/msg

== say
六个用例全部通过，`go vet` 也没有意见。结论如下：

- 重复使用 id **不会**导致错配，不论第一轮有没有得到应答；
- 规则是“最新的消息优先，同一条消息里按顺序”，代码与文件开头的说明一致；
- 唯一需要提醒用户的是：这样的历史发给 Anthropic 的接口会被拒绝，因为接口要求 id 唯一。这属于检查，不属于配对，所以这里不需要改动。

== user
很清楚，谢谢。再请你加一个小功能：我想知道一份对话里有哪些调用还没有结果，排查日志的时候要用。写成不导出的函数就行，按出现的顺序返回，服务端自己执行的调用不算。

== reminder
用户的时区是 Asia/Shanghai。文件 core/msg/pair_reuse_test.go 在本次会话中已被修改。

== say
`Pairing` 已经知道每个调用有没有结果，所以只要走一遍所有的块就够了。我放到单独的文件里，测试沿用刚才的小函数。

== call write_file
path: core/msg/pair_open.go
content:
| package msg
| 
| // callsWithoutResult 按出现的顺序返回还没有结果的调用。服务端自己执行的调用不算在内，它们的结果就在同一条消息里。
| func callsWithoutResult(c *Conversation) []Ref {
| 	p := Pair(c)
| 	var found []Ref
| 	for m := range c.Messages {
| 		for b, block := range c.Messages[m].Blocks {
| 			ref := Ref{m, b}
| 			if block.Kind != KindToolUse || block.Server {
| 				continue
| 			}
| 			if !p.Result(ref) {
| 				found = append(found, ref)
| 			}
| 		}
| 	}
| 	return found
| }

== call write_file
path: core/msg/pair_open_test.go
content:
| package msg
| 
| import (
| 	"slices"
| 	"testing"
| )
| 
| func TestCallsWithoutResult(t *testing.T) {
| 	服务端 := Message{Role: Assistant, Blocks: []Block{{Kind: KindToolUse, ID: "s", Server: true}}}
| 	for _, c := range []struct {
| 		名称 string
| 		消息 []Message
| 		应有 []Ref
| 		理由 string
| 	}{
| 		{"空对话", nil, nil, "没有调用"},
| 		{"全部应答", []Message{调用("a", "b"), 结果("a", "b")}, nil, "没有遗漏"},
| 		{"并行时缺一个", []Message{调用("a", "b"), 结果("a")}, []Ref{{0, 1}}, "中断常常留下这种历史"},
| 		{"末尾还在执行", []Message{调用("a"), 结果("a"), 调用("b")}, []Ref{{2, 0}}, "最后一轮还没有结束"},
| 		{"id 重复，旧的没有应答", []Message{调用("a"), TextMessage(User, "停"), 调用("a"), 结果("a")}, []Ref{{0, 0}}, "结果属于新的调用"},
| 		{"服务端的调用", []Message{服务端}, nil, "由服务方负责"},
| 	} {
| 		t.Run(c.名称, func(t *testing.T) {
| 			if got := callsWithoutResult(&Conversation{Messages: c.消息}); !slices.Equal(got, c.应有) {
| 				t.Errorf("得到 %v，应当是 %v：%s", got, c.应有, c.理由)
| 			}
| 		})
| 	}
| }

== turn

== call build
package: ./core/msg
expect: fails
shows: pair_open.go

== say
编译没有通过：`Result` 返回两个值，一个是位置，一个是有没有找到，我只当成了一个布尔值来用。改成取第二个值。

== call edit_file
path: core/msg/pair_open.go
old:
| 			if !p.Result(ref) {
new:
| 			if _, answered := p.Result(ref); !answered {

== turn

== call build
package: ./core/msg

== call run_tests
package: ./core/msg
run: TestCallsWithoutResult|TestPairReusedID
verbose: yes
shows: --- PASS: TestCallsWithoutResult

== say
编译和测试都通过了。`callsWithoutResult` 按出现的顺序返回未应答的调用，不计服务端的调用，没有导出，也没有碰公开的 API。

== user
最后请确认一下：整个包的测试都能通过吗？公开的接口里没有多出东西吧？另外请把 pair.go 完整地给我看一遍，我要写进周报。

== call run_tests
package: ./core/msg
shows: ok

== call go_doc
package: ./core/msg
symbol: Pairing

== call search
pattern: callsWithoutResult
path: core

== call read_file
path: core/msg/pair.go

== say
都确认过了：

- 整个包的测试通过；
- `Pairing` 的公开方法和原来一样，新函数只在包内使用，`core` 的其他地方没有引用它；
- `pair.go` 全文如上，我没有修改过它。

写周报可以用这一段：

> 核实了重复 id 的配对规则：结果归属于它之前最新一条消息里的调用，同一条消息里按先后顺序。补充了六个用例，代码无需修改。另外增加了包内函数 callsWithoutResult，用来列出没有结果的调用，方便排查被中断的会话。
