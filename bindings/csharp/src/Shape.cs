using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Runtime.ExceptionServices;

namespace Libmcp {
    /// <summary>JSON does not fit a type of the program.</summary>
    internal sealed class UnfitException : ArgumentException {
        internal UnfitException(string message) : base(message) {
        }
    }

    /// <summary>The program's own types: their JSON Schema, and what JSON is as a value of one.</summary>
    internal static class Shape {
        private static readonly Type[] WholeNumbers = {
            typeof(int), typeof(long), typeof(short), typeof(sbyte), typeof(byte), typeof(ushort), typeof(uint), typeof(ulong),
        };

        /// <summary>A member of an object, or a parameter of a function.</summary>
        private sealed class Part {
            internal string Name, Description;
            internal Type Type;
            internal bool IsRequired, MayBeNull;
            internal object Default;
            internal Action<object, object> Set;
        }

        /// <summary>The name of a property or a field in JSON: its own, or that of an attribute of one of the usual packages.</summary>
        internal static string NameOf(MemberInfo member) =>
            Told(member, "DataMemberAttribute", "Name") ?? Told(member, "JsonPropertyNameAttribute", "Name")
            ?? Told(member, "JsonPropertyAttribute", "PropertyName") ?? member.Name;

        /// <summary>A text of an attribute. By its name: the package need not be there.</summary>
        private static string Told(ICustomAttributeProvider of, string attribute, string property) =>
            of.GetCustomAttributes(true).Where(it => it.GetType().Name == attribute)
                .Select(it => it.GetType().GetProperty(property).GetValue(it) as string).FirstOrDefault(it => !string.IsNullOrEmpty(it));

        internal static object Schema(Type type) => Schema(type, new List<Type>());

        /// <summary>The schema of a form: what a person may leave out is not null there, and it says nothing of other members.</summary>
        internal static object Form(Type type) {
            Json schema = Json.Of(Object(Parts(type).Select(it => {
                it.Type = Nullable.GetUnderlyingType(it.Type) ?? it.Type;
                it.MayBeNull = false;
                return it;
            }), new List<Type> { type }));
            return new { type = "object", properties = schema["properties"], required = schema["required"] };
        }

        /// <summary>The schema of the arguments of a function, without the parameters that get parts of the request.</summary>
        internal static object Schema(MethodInfo function) => Object(Parameters(function.GetParameters().Where(it => Given(it, null) == null)), new List<Type>());

        private static object Schema(Type type, List<Type> around) {
            Type inner = Nullable.GetUnderlyingType(type);
            if (inner != null) {
                return OrNull(Schema(inner, around));
            }
            if (type == typeof(string) || type == typeof(char)) {
                return new { type = "string" };
            }
            if (type == typeof(bool)) {
                return new { type = "boolean" };
            }
            if (type.IsEnum) {
                return new Dictionary<string, object> { { "type", "string" }, { "enum", Enum.GetNames(type) } };
            }
            if (WholeNumbers.Contains(type)) {
                bool isSigned = type.GetField("MinValue").GetRawConstantValue().ToString() != "0";
                return isSigned ? (object)new { type = "integer" } : new { type = "integer", minimum = 0 };
            }
            if (type == typeof(double) || type == typeof(float) || type == typeof(decimal)) {
                return new { type = "number" };
            }
            if (type == typeof(DateTime) || type == typeof(DateTimeOffset)) {
                return new { type = "string", format = "date-time" };
            }
            if (type == typeof(Guid) || type == typeof(Uri)) {
                return new { type = "string", format = type == typeof(Guid) ? "uuid" : "uri" };
            }
            if (type == typeof(byte[])) {
                return new { type = "string", contentEncoding = "base64" };
            }
            if (type == typeof(object) || type == typeof(Json)) {
                return new { };
            }
            Type values = ValuesOf(type), elements = values == null ? ElementsOf(type) : null;
            if (values != null) {
                return new { type = "object", additionalProperties = Schema(values, around) };
            }
            if (elements != null) {
                return new { type = "array", items = Schema(elements, around) };
            }
            if (around.Contains(type)) {
                return OrNull(new { type = "object" }); // It contains itself.
            }
            if (Json.IsOfSystem(type) || type.IsInterface || type.IsAbstract) {
                throw new ArgumentException("a " + type + " has no form in JSON; take a text or a number in its place");
            }
            return Object(Parts(type), new List<Type>(around) { type });
        }

        /// <summary>What is null where it has no value is written so by <see cref="Json.Of"/>, too.</summary>
        private static object OrNull(object schema) {
            Json of = Json.Of(schema);
            if (of["type"].Any(it => it.AsString() == "null")) {
                return schema;
            }
            Dictionary<string, object> members = of.Members.ToDictionary(it => it.Key, it => (object)it.Value);
            foreach (string name in new[] { "type", "enum" }.Where(members.ContainsKey)) {
                Json given = (Json)members[name];
                members[name] = (given.Kind == JsonKind.Array ? given : Enumerable.Repeat(given, 1)).Select(it => (object)it)
                    .Concat(new[] { name == "type" ? "null" : null }).ToArray();
            }
            return members;
        }

        private static object Object(IEnumerable<Part> parts, List<Type> around) {
            Dictionary<string, object> properties = new Dictionary<string, object>();
            List<string> required = new List<string>();
            foreach (Part part in parts) {
                Json schema = Json.Of(part.MayBeNull ? OrNull(Schema(part.Type, around)) : Schema(part.Type, around));
                Dictionary<string, object> members = schema.Members.ToDictionary(it => it.Key, it => (object)it.Value);
                if (part.Description != null) {
                    members["description"] = part.Description;
                }
                if (part.Default != null) {
                    members["default"] = part.Default;
                }
                properties.Add(part.Name, members);
                if (part.IsRequired) {
                    required.Add(part.Name);
                }
            }
            return new { type = "object", properties, required, additionalProperties = false };
        }

        /// <summary>What JSON says of a type: what may be set, or, where nothing may, the parameters of its longest constructor.</summary>
        private static List<Part> Parts(Type type) {
            bool isMade = type.IsValueType || type.GetConstructor(Type.EmptyTypes) != null;
            List<Part> parts = new List<Part>();
            object fresh = isMade ? Activator.CreateInstance(type) : null;
            foreach (PropertyInfo property in type.GetProperties(BindingFlags.Public | BindingFlags.Instance)) {
                if (isMade && property.CanRead && property.GetSetMethod() != null && property.GetIndexParameters().Length == 0) {
                    parts.Add(Settable(property, property.PropertyType, property.GetValue(fresh), property.SetValue));
                }
            }
            foreach (FieldInfo field in type.GetFields(BindingFlags.Public | BindingFlags.Instance)) {
                if (isMade && !field.IsInitOnly) {
                    parts.Add(Settable(field, field.FieldType, field.GetValue(fresh), field.SetValue));
                }
            }
            return parts.Count > 0 ? parts : Parameters(Longest(type)?.GetParameters() ?? new ParameterInfo[0]).ToList();
        }

        private static ConstructorInfo Longest(Type type) => type.GetConstructors().OrderByDescending(it => it.GetParameters().Length).FirstOrDefault();

        /// <summary>It may be left out where a new object has a value there, null is one, or it is another object of the class: the last has none.</summary>
        private static Part Settable(MemberInfo member, Type type, object fresh, Action<object, object> set) {
            bool isNullable = Nullable.GetUnderlyingType(type) != null, mayBeNull = MayBeNull(type, member, member.DeclaringType);
            bool isUnset = fresh == null || (type.IsValueType && !isNullable && fresh.Equals(Activator.CreateInstance(type)));
            return new Part {
                Name = NameOf(member), Type = type, Set = set, MayBeNull = mayBeNull, Default = isUnset ? null : fresh,
                IsRequired = isUnset && !isNullable && !mayBeNull && type != member.DeclaringType,
                Description = Told(member, "DescriptionAttribute", "Description"),
            };
        }

        private static IEnumerable<Part> Parameters(IEnumerable<ParameterInfo> parameters) => parameters.Select(it => new Part {
            Name = it.Member is ConstructorInfo ? PropertyNameOf(it) : it.Name, Type = it.ParameterType,
            MayBeNull = MayBeNull(it.ParameterType, it, it.Member),
            IsRequired = !it.IsOptional && Nullable.GetUnderlyingType(it.ParameterType) == null && !MayBeNull(it.ParameterType, it, it.Member),
            Default = it.IsOptional ? DefaultOf(it) : null, Description = Told(it, "DescriptionAttribute", "Description"),
        });

        /// <summary>
        /// Whether the program wrote <c>string?</c>, which the compiler tells in attributes that each assembly has of its own: beside the
        /// member or parameter, or, where it is the rule, at what is around it. See docs/features/nullable-metadata.md of Roslyn.
        /// </summary>
        private static bool MayBeNull(Type type, ICustomAttributeProvider of, MemberInfo around) {
            object flag = (Flag(of, "NullableAttribute", "NullableFlags") as byte[])?.FirstOrDefault();
            for (MemberInfo at = around; flag == null && at != null; at = at.DeclaringType) {
                flag = Flag(at, "NullableContextAttribute", "Flag");
            }
            return !type.IsValueType && Equals(flag, (byte)2);
        }

        private static object Flag(ICustomAttributeProvider of, string attribute, string field) =>
            of.GetCustomAttributes(true).Where(it => it.GetType().FullName == "System.Runtime.CompilerServices." + attribute)
                .Select(it => it.GetType().GetField(field)?.GetValue(it)).FirstOrDefault();

        private static object DefaultOf(ParameterInfo parameter) {
            Type type = parameter.ParameterType;
            Type named = Nullable.GetUnderlyingType(type) ?? type;
            object value = parameter.DefaultValue;
            // Reflection gives the bare number of an enum that may be null.
            return value == null || value == DBNull.Value ? type.IsValueType ? Activator.CreateInstance(type) : null
                : named.IsEnum ? Enum.ToObject(named, value) : value;
        }

        /// <summary>A parameter of a constructor has the name of the property that shows it, which is what JSON is made of.</summary>
        private static string PropertyNameOf(ParameterInfo parameter) {
            PropertyInfo shows = parameter.Member.DeclaringType.GetProperties()
                .FirstOrDefault(it => string.Equals(it.Name, parameter.Name, StringComparison.OrdinalIgnoreCase));
            return shows == null ? parameter.Name : NameOf(shows);
        }

        /// <summary>What a function gets of the request; null for an argument.</summary>
        private static object Given(ParameterInfo parameter, Request request) =>
            parameter.ParameterType == typeof(Request) ? (object)request ?? ""
            : parameter.ParameterType == typeof(System.Threading.CancellationToken) ? request?.Cancellation ?? default(System.Threading.CancellationToken) : (object)null;

        /// <summary>Calls a function with the arguments of a request.</summary>
        internal static object Call(Delegate function, Request request) {
            object[] given = function.Method.GetParameters().Select(it =>
                Given(it, request) ?? Argument(Parameters(new[] { it }).Single(), request.Arguments, "")).ToArray();
            try {
                return function.DynamicInvoke(given);
            } catch (TargetInvocationException thrown) {
                ExceptionDispatchInfo.Capture(thrown.InnerException).Throw();
                throw;
            }
        }

        private static object Argument(Part part, Json all, string place) {
            Json value = all[part.Name];
            if (!value.IsAbsent) {
                return Read(value, part.Type, place + part.Name);
            }
            if (part.IsRequired) {
                throw new UnfitException("\"" + place + part.Name + "\" is missing");
            }
            return part.Default;
        }

        /// <summary>A value of a type.</summary>
        /// <exception cref="UnfitException">JSON says something else; the message says where.</exception>
        internal static object Read(Json json, Type type, string place) {
            Type inner = Nullable.GetUnderlyingType(type);
            if (type == typeof(Json) || type == typeof(object)) {
                return json;
            }
            if (json.Kind == JsonKind.Null && (inner != null || !type.IsValueType)) {
                return null;
            }
            object value = inner != null ? Read(json, inner, place) : Simple(json, type) ?? Compound(json, type, place);
            if (value == null) {
                throw new UnfitException((place == "" ? "it" : "\"" + place + "\"") + " is " + json + ", which is no " + type.Name);
            }
            return value;
        }

        private static object Simple(Json json, Type type) {
            decimal number;
            string text = json.AsString();
            bool isNumber = json.Kind == JsonKind.Number & decimal.TryParse(json.ToString(), NumberStyles.Float, CultureInfo.InvariantCulture, out number);
            try {
                if (type == typeof(string)) {
                    return text;
                }
                if (type == typeof(bool)) {
                    return json.AsBoolean();
                }
                if (type.IsEnum) {
                    return text != null && Enum.GetNames(type).Contains(text) ? Enum.Parse(type, text) : null;
                }
                if (WholeNumbers.Contains(type)) {
                    return isNumber && number == decimal.Truncate(number) ? Convert.ChangeType(number, type, CultureInfo.InvariantCulture) : null;
                }
                if (type == typeof(decimal)) {
                    return isNumber ? number : (object)null;
                }
                if (type == typeof(double) || type == typeof(float)) {
                    return json.AsDouble() == null ? null : Convert.ChangeType(json.AsDouble(), type, CultureInfo.InvariantCulture);
                }
                if (text == null) {
                    return null;
                }
                return type == typeof(char) ? text.Length == 1 ? text[0] : (object)null
                    : type == typeof(DateTime) ? DateTime.Parse(text, CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind)
                    : type == typeof(DateTimeOffset) ? DateTimeOffset.Parse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal)
                    : type == typeof(Guid) ? new Guid(text)
                    : type == typeof(Uri) ? new Uri(text, UriKind.RelativeOrAbsolute)
                    : type == typeof(byte[]) ? Convert.FromBase64String(text) : (object)null;
            } catch (Exception unfit) when (unfit is FormatException || unfit is OverflowException) {
                return null;
            }
        }

        private static object Compound(Json json, Type type, string place) {
            Type values = ValuesOf(type), elements = values == null ? ElementsOf(type) : null;
            string before = place == "" ? "" : place + ".";
            if (elements != null && json.Kind == JsonKind.Array) {
                Array array = Array.CreateInstance(elements, json.Count);
                for (int at = 0; at < json.Count; at++) {
                    array.SetValue(Read(json[at], elements, before + at), at);
                }
                return type.IsAssignableFrom(array.GetType()) ? array : Activator.CreateInstance(typeof(List<>).MakeGenericType(elements), array);
            }
            if (elements != null || json.Kind != JsonKind.Object || type.IsPrimitive || type.IsEnum || type == typeof(string)) {
                return null;
            }
            if (values != null) {
                IDictionary all = (IDictionary)Activator.CreateInstance(typeof(Dictionary<,>).MakeGenericType(typeof(string), values));
                foreach (KeyValuePair<string, Json> member in json.Members) {
                    all[member.Key] = Read(member.Value, values, before + member.Key);
                }
                return all;
            }
            List<Part> parts = Parts(type);
            if (parts.Any(it => it.Set == null)) {
                return Longest(type).Invoke(parts.Select(it => Argument(it, json, before)).ToArray());
            }
            object made = Activator.CreateInstance(type);
            foreach (Part part in parts.Where(it => it.IsRequired || !json[it.Name].IsAbsent)) {
                part.Set(made, Argument(part, json, before));
            }
            return made;
        }

        /// <summary>What a dictionary with texts as keys has, if the type takes one.</summary>
        private static Type ValuesOf(Type type) => Argument(type, 1, typeof(Dictionary<,>), given => given[0] == typeof(string));

        /// <summary>What a list has, if the type is an array or takes a list.</summary>
        private static Type ElementsOf(Type type) => type.IsArray ? type.GetElementType() : Argument(type, 0, typeof(List<>), given => true);

        private static Type Argument(Type type, int place, Type collection, Func<Type[], bool> fits) {
            Type[] given = type.IsGenericType ? type.GetGenericArguments() : Type.EmptyTypes;
            bool isOne = given.Length == collection.GetGenericArguments().Length && fits(given) && type.IsAssignableFrom(collection.MakeGenericType(given));
            return isOne ? given[place] : null;
        }
    }
}
