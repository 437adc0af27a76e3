// What programs describe values with, and the types that follow from it.
import type { JsonObject } from '../generated/protocol.js';

/** A schema of a library that follows the Standard Schema (https://standardschema.dev), such as zod, Valibot or ArkType. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown, ...rest: any[]) => unknown;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** The same with what it is in JSON Schema, which clients read. */
export interface DescribedSchema<Input = unknown, Output = Input> extends StandardSchema<Input, Output> {
  readonly '~standard': StandardSchema<Input, Output>['~standard'] & { readonly jsonSchema: unknown };
}

/** JSON Schema, as an object that is written in the program. */
export type JsonSchema = JsonObject | { readonly [name: string]: unknown };

/** What describes values: a schema of a library, or JSON Schema. */
export type AnySchema = StandardSchema<any, any> | JsonSchema;

/** By what the library of a schema is known to say what it is in JSON Schema: the newest standard, zod and Valibot, older ArkType. */
type HasJsonSchema =
  | { readonly '~standard': { readonly jsonSchema: unknown } } | { readonly '~standard': { readonly vendor: 'valibot' } }
  | { readonly _zod: unknown } | { readonly _def: unknown; readonly _output: unknown }
  | { readonly toJSONSchema: unknown } | { readonly toJsonSchema: unknown };
/** Stands for a schema whose library does not say what it is in JSON Schema; nothing has this type. The compiler names it. */
export interface NoJsonSchema {
  'give its JSON Schema, too: withJsonSchema(schema, jsonSchema)': never;
}
/** What a member must be beside its schema, for clients to read what it takes. */
export type Describes<Name extends string, S> = {
  readonly [K in Name]?: S extends { readonly '~standard': unknown } ? S extends HasJsonSchema ? unknown : NoJsonSchema : unknown;
};

type Of<S, Side extends 'input' | 'output'> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly [key in Side]: infer V } ? V : unknown
  : FromJsonSchema<S>;

/** What a value has when a schema has checked it. */
export type Checked<S> = Of<S, 'output'>;
/** What a value must have for a schema to accept it. */
export type Accepted<S> = Of<S, 'input'>;

type Simple<T> = { [K in keyof T]: T[K] };
type Named<P, R> = R extends readonly (infer K)[] ? Extract<K, keyof P> : never;
type ObjectOf<P, R> = Simple<
  { -readonly [K in Named<P, R>]: FromJsonSchema<P[K]> } & { -readonly [K in Exclude<keyof P, Named<P, R>>]?: FromJsonSchema<P[K]> }
>;

/** The type of what JSON Schema describes, as far as its common words go; `unknown` beyond. */
export type FromJsonSchema<S> =
  S extends { readonly const: infer C } ? C
  : S extends { readonly enum: readonly (infer E)[] } ? E
  : S extends { readonly anyOf: readonly (infer A)[] } ? FromJsonSchema<A>
  : S extends { readonly oneOf: readonly (infer A)[] } ? FromJsonSchema<A>
  : S extends { readonly type: infer T }
    ? T extends 'string' ? string
    : T extends 'number' | 'integer' ? number
    : T extends 'boolean' ? boolean
    : T extends 'null' ? null
    : T extends 'array' ? (S extends { readonly items: infer I } ? FromJsonSchema<I>[] : unknown[])
    : T extends 'object' ? (S extends { readonly properties: infer P } ? ObjectOf<P, S extends { readonly required: infer R } ? R : []> : JsonObject)
    : unknown
  : unknown;

/**
 * A schema of a library that does not say by itself what it is in JSON Schema, with its JSON Schema. What has
 * `"~standard".jsonSchema` needs none of this.
 */
export function withJsonSchema<Input, Output>(schema: StandardSchema<Input, Output>, jsonSchema: JsonSchema): DescribedSchema<Input, Output>;

export {};
