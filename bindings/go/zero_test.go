package mcp_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	mcp "github.com/libmcp/libmcp-go"
)

// What a program declares in place of making it says so: no method panics, and each that can fail names what makes one.
func TestAZeroValueSaysWhatMakesOne(t *testing.T) {
	for _, zero := range []any{new(mcp.Client), new(mcp.Server), new(mcp.Queue), new(mcp.View), new(mcp.Request), new(mcp.ServerRequest), new(mcp.Login)} {
		of := reflect.TypeOf(zero)
		for index := range of.NumMethod() {
			method := of.Method(index)
			t.Run(of.Elem().Name()+"."+method.Name, func(t *testing.T) {
				given := []reflect.Value{reflect.ValueOf(zero)}
				for at := 1; at < method.Type.NumIn() && !(method.Type.IsVariadic() && at == method.Type.NumIn()-1); at++ {
					given = append(given, argument(method.Type.In(at)))
				}
				for _, result := range method.Func.Call(given) {
					err, isError := result.Interface().(error)
					if !isError {
						err = failureOf(result)
					}
					if err == nil {
						continue
					}
					var known *mcp.Error
					if !errors.As(err, &known) || !strings.Contains(err.Error(), "zero value") {
						t.Errorf("%v", err)
					}
				}
			})
		}
	}
	if client, err := mcp.NewInProcess(new(mcp.Server), nil); client != nil || err == nil || !strings.Contains(err.Error(), "mcp.NewServer") {
		t.Error(client, err)
	}
	err := mcp.AddTool(new(mcp.Server), &mcp.Tool{Name: "t"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "", nil })
	if err == nil || !strings.Contains(err.Error(), "mcp.NewServer") {
		t.Error(err)
	}
}

// argument is a value that a method takes.
func argument(of reflect.Type) reflect.Value {
	switch {
	case of == reflect.TypeFor[context.Context]():
		return reflect.ValueOf(context.Background())
	case of.Kind() == reflect.Pointer:
		return reflect.New(of.Elem())
	case of.Kind() == reflect.Func:
		return reflect.MakeFunc(of, func([]reflect.Value) []reflect.Value { return nil })
	case of.Kind() == reflect.Interface && of.NumMethod() == 0:
		return reflect.ValueOf(struct{}{})
	case of.Kind() == reflect.String:
		return reflect.ValueOf("x").Convert(of)
	}
	return reflect.Zero(of)
}

// failureOf is the error that a sequence gives first.
func failureOf(sequence reflect.Value) (failure error) {
	if sequence.Kind() == reflect.Func && sequence.Type().CanSeq2() {
		for _, err := range sequence.Seq2() {
			failure, _ = err.Interface().(error)
			break
		}
	}
	return failure
}
