//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"time"
)

const (
	// How much later than its context's deadline the library may end a call before it is cancelled instead.
	deadlineGrace = 250 * time.Millisecond
	// The most reports of one call that wait for its functions; then the oldest are dropped.
	mostReports = 256
	// The longest time that the library takes: a year.
	longestTime = 365 * 24 * time.Hour
)

// call is one call under way: what the poller hands to the goroutine that waits for it.
type call struct {
	core     *core
	outcome  chan outcome  // receives exactly one
	reported chan struct{} // a report has arrived; nil if the caller wants no reports

	mu      sync.Mutex
	reports []report
}

// report is progress of a call, or the state of the task that it has become.
type report struct {
	kind Kind
	json json.RawMessage
}

// starter is one of the library's functions that start a call.
type starter func(options []byte, tag uint64) (id uint64, err error)

type outcome struct {
	status Status
	json   json.RawMessage
}

// end is called once, by the poller.
func (c *call) end(status Status, body json.RawMessage) {
	c.core.release()
	c.outcome <- outcome{status, body}
}

func (c *call) report(kind Kind, body json.RawMessage) {
	if c.reported == nil {
		return
	}
	c.mu.Lock()
	if len(c.reports) == mostReports {
		c.reports = c.reports[1:]
	}
	c.reports = append(c.reports, report{kind, body})
	c.mu.Unlock()
	select {
	case c.reported <- struct{}{}:
	default:
	}
}

func (c *call) takeReports() []report {
	c.mu.Lock()
	defer c.mu.Unlock()
	reports := c.reports
	c.reports = nil
	return reports
}

// Call calls a method of the server and waits for the one outcome: the result, or an [*Error].
//
// params is a json.RawMessage, passed on as it is, or anything that marshals to a JSON object; nil for none. The deadline of
// ctx becomes the call's timeout, in place of the configured one. When ctx is cancelled, the server is told and the error
// carries the context's cause; a result that arrived first is returned all the same.
func (c *Client) Call(ctx context.Context, method string, params any, options ...CallOption) (json.RawMessage, error) {
	defer c.keep()
	return c.core.call(ctx, method, params, settingsOf(options))
}

func settingsOf(options []CallOption) *callSettings {
	settings := new(callSettings)
	for _, option := range options {
		if option != nil {
			option(settings)
		}
	}
	return settings
}

// CallAs is [Client.Call] with the result unmarshalled into a T.
func CallAs[T any](ctx context.Context, c *Client, method string, params any, options ...CallOption) (T, error) {
	var result T
	raw, err := c.Call(ctx, method, params, options...)
	if err == nil {
		err = decode(method, raw, &result)
	}
	return result, err
}

func decode(method string, raw json.RawMessage, into any) error {
	if result, ok := into.(*CallToolResult); ok && quickResult(raw, result) {
		return nil
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return &Error{Status: StatusProtocol, Operation: method, Message: method + ": the result has an unexpected shape: " + err.Error(), cause: err}
	}
	return nil
}

func (c *core) call(ctx context.Context, method string, params any, settings *callSettings) (json.RawMessage, error) {
	name, err := ended("method", method)
	if err != nil {
		return nil, err
	}
	body, err := encode(method, params)
	if err != nil {
		return nil, err
	}
	return c.perform(ctx, method, settings, func(options []byte, tag uint64) (uint64, error) {
		return c.startCall(name, body, options, tag)
	})
}

// perform starts a call by one of the library's functions, and waits for its outcome.
func (c *core) perform(ctx context.Context, method string, settings *callSettings, start starter) (json.RawMessage, error) {
	if ctx.Err() != nil {
		return nil, interrupted(ctx, method)
	}
	settings.within(ctx)
	options, err := settings.encode(ctx)
	if err != nil {
		return nil, err
	}
	this := &call{core: c, outcome: make(chan outcome, 1)}
	if settings.onProgress != nil || settings.onTask != nil {
		this.reported = make(chan struct{}, 1)
	}
	if !c.acquire() {
		return nil, c.gone(method)
	}
	// The reply may come before start has returned, so the call is in the table first.
	tag := c.poller.add(this)
	id, err := start(options, tag)
	if err != nil {
		if c.poller.remove(tag) != nil {
			c.release()
		}
		return nil, err
	}
	end := c.await(ctx, this, id, settings)
	if end.status == StatusOK {
		return end.json, nil
	}
	failed := &Error{Status: end.status, Operation: method, Message: method + ": " + end.status.name()}
	if end.json != nil {
		failed = readError(end.status, end.json)
	}
	if ctx.Err() != nil && (end.status == StatusCancelled || end.status == StatusTimeout) {
		failed.cause, failed.ended = context.Cause(ctx), ctx.Err()
	}
	return nil, failed
}

// await waits for the outcome, which always comes: from the server, from the library's clock, or from our cancelling.
func (c *core) await(ctx context.Context, this *call, id uint64, settings *callSettings) outcome {
	report := func() {
		for _, report := range this.takeReports() {
			settings.tell(report)
		}
	}
	interrupt := ctx.Done()
	var late <-chan time.Time
	for {
		select {
		case end := <-this.outcome:
			report()
			return end
		case <-this.reported:
			report()
		case <-interrupt:
			interrupt = nil
			if ctx.Err() == context.DeadlineExceeded {
				// The library has the same deadline and says more about it than "cancelled".
				late = time.After(deadlineGrace)
			} else {
				c.cancel(id, context.Cause(ctx).Error())
			}
		case <-late:
			c.cancel(id, "the deadline is over")
		}
	}
}

// tell gives a report to the function that it is for. It drops a report that it cannot read.
func (s *callSettings) tell(report report) {
	var progress Progress
	var task Task
	switch {
	case report.kind == KindProgress && s.onProgress != nil && json.Unmarshal(report.json, &progress) == nil:
		s.onProgress(progress)
	case report.kind == KindNotification && s.onTask != nil && json.Unmarshal(report.json, &task) == nil:
		s.onTask(task)
	}
}

func (c *core) cancel(id uint64, why string) {
	reason, err := ended("reason", why)
	if err != nil {
		reason = nil
	}
	// Once the client is closing every call ends by itself.
	if c.acquire() {
		defer c.release()
		c.cancelCall(id, reason)
	}
}

// Notify sends a notification, such as "notifications/roots/list_changed". It needs a connection that is ready, and never
// waits: a server that does not read is StatusBackpressure.
func (c *Client) Notify(ctx context.Context, method string, params any) error {
	defer c.keep()
	if ctx.Err() != nil {
		return interrupted(ctx, method)
	}
	name, err := ended("method", method)
	if err != nil {
		return err
	}
	body, err := encode(method, params)
	if err != nil {
		return err
	}
	if !c.core.acquire() {
		return c.core.gone(method)
	}
	defer c.core.release()
	return c.core.notify(name, body)
}

// CallOption changes one call.
type CallOption func(*callSettings)

// callSettings are what options set. Most calls have none, and write no JSON.
type callSettings struct {
	call    CallOptions
	feature FeatureOptions

	onProgress func(Progress)
	onTask     func(Task)
	settled    map[string]string
	others     bool // call has more than the two times
	features   bool // feature has something
}

// encode gives the options as text for C, or nil if there are none. The context's deadline bounds both times.
func (s *callSettings) encode(ctx context.Context) ([]byte, error) {
	if deadline, ok := ctx.Deadline(); ok {
		left := max(time.Until(deadline), time.Millisecond)
		if s.call.Timeout == 0 || s.call.Timeout > left {
			s.call.Timeout = left
		}
		if s.call.MaxTotal == 0 || s.call.MaxTotal > left {
			s.call.MaxTotal = left
		}
	}
	s.call.Timeout, s.call.MaxTotal = min(s.call.Timeout, longestTime), min(s.call.MaxTotal, longestTime)
	if s.others || s.features {
		return s.encodeAll()
	}
	if s.call.Timeout == 0 && s.call.MaxTotal == 0 {
		return nil, nil
	}
	out := make([]byte, 0, 64)
	out = append(out, '{')
	if s.call.Timeout != 0 {
		out = strconv.AppendInt(append(out, `"timeout_ms":`...), milliseconds(s.call.Timeout), 10)
	}
	if s.call.MaxTotal != 0 {
		if s.call.Timeout != 0 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(append(out, `"max_total_ms":`...), milliseconds(s.call.MaxTotal), 10)
	}
	return append(out, '}', 0), nil
}

// encodeAll joins the two objects of options.
func (s *callSettings) encodeAll() ([]byte, error) {
	all, err := encode("options", s.call)
	if err != nil || !s.features {
		return all, err
	}
	more, err := encode("options", s.feature)
	if err != nil || len(more) == len("{}\x00") {
		return all, err
	}
	all = all[:len(all)-len("}\x00")]
	if len(all) > len("{") {
		all = append(all, ',')
	}
	return append(all, more[1:]...), nil
}

// milliseconds are whole ones, rounded up, and at least one.
func milliseconds(time_ time.Duration) int64 {
	time_ = min(max(time_, time.Millisecond), longestTime)
	return int64((time_ + time.Millisecond - 1) / time.Millisecond)
}

// Timeout bounds the call; the context's deadline does if it is nearer.
func Timeout(time_ time.Duration) CallOption {
	return func(s *callSettings) { s.call.Timeout = max(time_, time.Millisecond) }
}

// MaxTotal bounds the call however often progress restarts its timeout.
func MaxTotal(time_ time.Duration) CallOption {
	return func(s *callSettings) { s.call.MaxTotal = max(time_, time.Millisecond) }
}

// ResetOnProgress says whether progress restarts the timeout.
func ResetOnProgress(reset bool) CallOption {
	return func(s *callSettings) { s.call.ResetOnProgress, s.others = &reset, true }
}

// OnProgress asks the server for progress. The function is called on the goroutine that made the call, before the call
// returns.
func OnProgress(report func(Progress)) CallOption {
	return func(s *callSettings) { s.onProgress, s.call.Progress, s.others = report, report != nil, true }
}

// Meta adds members to the request's _meta: anything that marshals to a JSON object.
func Meta(members any) CallOption {
	return func(s *callSettings) {
		raw, err := json.Marshal(members)
		if err != nil {
			raw = json.RawMessage("false") // The library refuses it, and the call with it.
		}
		s.call.Meta, s.others = raw, true
	}
}

// WithOptions sets all options of the call at once; options after it change single ones.
func WithOptions(options CallOptions) CallOption {
	return func(s *callSettings) { s.call, s.others = options, true }
}

// WithFeatureOptions sets what calls of features have besides, such as a cursor or what is done with kept results.
func WithFeatureOptions(options FeatureOptions) CallOption {
	return func(s *callSettings) { s.feature, s.features = options, true }
}

// Trace names the trace that the call belongs to (W3C Trace Context and Baggage); empty ones are left out.
func Trace(traceparent, tracestate, baggage string) CallOption {
	return func(s *callSettings) {
		s.call.Traceparent, s.call.Tracestate, s.call.Baggage, s.others = traceparent, tracestate, baggage, true
	}
}

// LogLevel is the least level of the log messages that a server of 2026-07-28 may send while it works on the call; before, a server
// has one level for all calls: [Client.SetLogLevel].
//
// Deprecated: 2026-07-28 deprecates log messages (SEP-2577). It works in every revision that has it.
func LogLevel(level LoggingLevel) CallOption {
	return func(s *callSettings) { s.call.LogLevel, s.others = string(level), true }
}

// Retry says whether the call is sent again on the next connection if it is safe to repeat: "never" or "safe".
func Retry(when string) CallOption {
	return func(s *callSettings) { s.call.Retry, s.others = when, true }
}

// WhenUnavailable says what becomes of the call while there is no connection: "fail" or "wait".
func WhenUnavailable(what string) CallOption {
	return func(s *callSettings) { s.call.WhenUnavailable, s.others = what, true }
}

// Settled are arguments that have their value already, for [Client.Complete].
func Settled(arguments map[string]string) CallOption {
	return func(s *callSettings) { s.settled = arguments }
}
