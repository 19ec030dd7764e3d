package core_test
import ("testing";"os";"fmt";"time";"tamp/core";"tamp/core/format";"tamp/core/policy";"tamp/core/tokens")
func TestDbg(t *testing.T){ data,_:=os.ReadFile("/tmp/chat.json"); c,err:=format.Parse(data,""); if err!=nil{t.Fatal(err)}
 p,_:=policy.Preset("balanced"); p.Trigger.Window=36000*1000/450; p.Trigger.Tokens=0;p.Trigger.BufferTokens=0
 for i:=0;i<3;i++ { t0:=time.Now(); l,err:=core.NewLoop(c,"",p,core.Env{Count:tokens.Estimate,Force:true}); if err!=nil{t.Fatal(err)}; fmt.Println("plan",time.Since(t0))
 for l.Plan()!=nil { t1:=time.Now(); rs,err:=l.Summarize(); if err!=nil{t.Fatal(err)}; t2:=time.Now(); out,err:=l.Apply(rs); if err!=nil{t.Fatal(err)}; fmt.Println("sum",t2.Sub(t1),"apply",time.Since(t2),out.After)}
 } }
