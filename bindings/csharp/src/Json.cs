using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Reflection;
using System.Text;

namespace Libmcp {
    /// <summary>
    /// A JSON value. What does not exist (a missing member, an index behind the end, a member of another type) is a value too, of the kind
    /// <see cref="JsonKind.Absent"/>, so that a chain of look-ups needs one check at its end. It never changes.
    /// </summary>
    public sealed class Json : IEnumerable<Json> {
        /// <summary>The value that does not exist.</summary>
        public static readonly Json Absent = new Json(JsonKind.Absent, null);

        /// <summary>How deep what a program gives may be nested: more is an object that contains itself.</summary>
        private const int MostLevels = 200;

        private static readonly List<Json> None = new List<Json>();
        private static readonly List<KeyValuePair<string, Json>> NoMembers = new List<KeyValuePair<string, Json>>();

        /// <summary>A string, the text of a number, a bool, or the list of elements or members.</summary>
        private readonly object value;

        private Json(JsonKind kind, object value) {
            Kind = kind;
            this.value = value;
        }

        /// <summary>What it is.</summary>
        public JsonKind Kind { get; }

        /// <summary>Whether it does not exist.</summary>
        public bool IsAbsent => Kind == JsonKind.Absent;

        /// <summary>A member of an object; the last one, if several have the name.</summary>
        public Json this[string name] {
            get {
                List<KeyValuePair<string, Json>> all = MemberList;
                int place = all.FindLastIndex(member => member.Key == name);
                return place < 0 ? Absent : all[place].Value;
            }
        }

        /// <summary>An element of an array.</summary>
        public Json this[int index] {
            get { return index >= 0 && index < Elements.Count ? Elements[index] : Absent; }
        }

        /// <summary>How many elements or members it has.</summary>
        public int Count => Elements.Count + MemberList.Count;

        /// <summary>The members of an object in their order.</summary>
        public IEnumerable<KeyValuePair<string, Json>> Members => MemberList;

        private List<Json> Elements => value as List<Json> ?? None;

        private List<KeyValuePair<string, Json>> MemberList => value as List<KeyValuePair<string, Json>> ?? NoMembers;

        /// <summary>The text of a string; null for everything else.</summary>
        public string AsString() => Kind == JsonKind.String ? (string)value : null;

        /// <summary>A boolean; null for everything else.</summary>
        public bool? AsBoolean() => value as bool?;

        /// <summary>A number that is whole and fits; null for everything else.</summary>
        public long? AsLong() {
            long whole;
            if (Kind != JsonKind.Number) {
                return null;
            }
            if (long.TryParse((string)value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out whole)) {
                return whole;
            }
            double number = AsDouble() ?? double.NaN;
            bool fits = number == Math.Floor(number) && Math.Abs(number) < 9.2e18;
            return fits ? (long)number : (long?)null;
        }

        /// <summary>A number; null for everything else.</summary>
        public double? AsDouble() {
            double number;
            bool isOne = Kind == JsonKind.Number
                && double.TryParse((string)value, NumberStyles.Float, CultureInfo.InvariantCulture, out number);
            return isOne ? double.Parse((string)value, NumberStyles.Float, CultureInfo.InvariantCulture) : (double?)null;
        }

        /// <summary>The elements of an array.</summary>
        public IEnumerator<Json> GetEnumerator() => Elements.GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

        /// <summary>The value as JSON text; empty if it does not exist.</summary>
        public override string ToString() {
            StringBuilder text = new StringBuilder();
            Append(text, this, 0);
            return text.ToString();
        }

        /// <summary>Reads a JSON text.</summary>
        /// <exception cref="McpException">It is no JSON; the message says where.</exception>
        public static Json Parse(string text) {
            DocumentHandle document;
            IntPtr error;
            byte[] bytes = Library.Bytes("parse", text);
            Status status = Native.mcp_document_new(bytes, (UIntPtr)(bytes.Length - 1), out document, out error);
            using (document) {
                // The error object is never parsed for an error of its own: the library writes it.
                Library.Check("parse", status, error);
                return Read(Native.mcp_document_value(document));
            }
        }

        /// <summary>
        /// Makes JSON of null, texts, numbers, booleans, dictionaries with texts as keys, lists, JSON, enumerations (as their names), and of
        /// other objects by their public properties and fields, under their own names or those of <c>[DataMember(Name = "a")]</c>,
        /// <c>[JsonPropertyName("a")]</c> or <c>[JsonProperty("a")]</c>: <c>new { a = 1 }</c>.
        /// </summary>
        /// <exception cref="McpException">Something in it has another type.</exception>
        public static Json Of(object value) => Parse(Write("json", value));

        /// <summary>The JSON Schema of a type, as <see cref="To{T}"/> reads it.</summary>
        /// <exception cref="McpException">A type in it has no form in JSON.</exception>
        public static Json Schema(Type type) {
            if (type == null) {
                throw new ArgumentNullException("type");
            }
            return Fitting("schema", () => Of(Shape.Schema(type)));
        }

        /// <summary>That of a form.</summary>
        internal static Json Form(Type type) => Fitting("elicitation/create", () => Of(Shape.Form(type)));

        /// <summary>That of the arguments of a function.</summary>
        internal static Json Schema(Delegate function) {
            if (function == null) {
                throw new ArgumentNullException("function");
            }
            return Fitting("schema", () => Of(Shape.Schema(function.Method)));
        }

        /// <summary>
        /// A value of a type: a text, a number, a bool, an enumeration (by name), a date, a <see cref="Guid"/>, a <see cref="Uri"/>, bytes in
        /// base64, an array, a list, a dictionary with texts as keys, JSON, or a class or structure of these. A class is made by its
        /// constructor without parameters and what may be set, or by its longest constructor. What has a value in a new object, a default, a
        /// type that can be null by a question mark, or the type of the class itself may be missing.
        /// </summary>
        /// <exception cref="McpException">JSON says something else; the message says where.</exception>
        public T To<T>() => Fitting("json", Read<T>);

        internal T Read<T>() => (T)Shape.Read(this, typeof(T), "");

        private static T Fitting<T>(string operation, Func<T> made) {
            try {
                return made();
            } catch (ArgumentException unfit) {
                throw new McpException(Status.InvalidArgument, operation, operation + ": " + unfit.Message);
            }
        }

        /// <summary>The JSON of what a program gives: a text is JSON already.</summary>
        internal static Json Given(object value) => value is string ? Parse((string)value) : Of(value);

        /// <summary>A configuration, to look into; absent where it cannot be read, and then the library says what is wrong with it.</summary>
        internal static Json Settings(object config) {
            try {
                return Given(config);
            } catch (McpException) {
                return Absent;
            }
        }

        internal static Json From(MessageHandle message) => Read(Native.mcp_message_value(message));

        internal static string Write(string operation, object value) {
            StringBuilder text = new StringBuilder();
            try {
                Append(text, value, 0);
            } catch (ArgumentException unfit) {
                throw new McpException(Status.InvalidArgument, operation, operation + ": " + unfit.Message);
            }
            return text.ToString();
        }

        private static Json Read(NativeValue from) {
            UIntPtr length;
            JsonKind kind = Native.mcp_value_type(from);
            switch (kind) {
                case JsonKind.String:
                    return new Json(kind, Library.Text(Native.mcp_value_string(from, out length), length));
                case JsonKind.Number:
                    return new Json(kind, Library.Text(Native.mcp_value_json(from, out length), length));
                case JsonKind.Boolean:
                    byte flag;
                    return new Json(kind, Native.mcp_value_bool(from, out flag) == Status.OK && flag != 0);
                case JsonKind.Array:
                    List<Json> elements = new List<Json>();
                    for (NativeValue at = Native.mcp_value_first(from); Exists(at); at = Native.mcp_value_next(at)) {
                        elements.Add(Read(at));
                    }
                    return new Json(kind, elements);
                case JsonKind.Object:
                    List<KeyValuePair<string, Json>> members = new List<KeyValuePair<string, Json>>();
                    for (NativeValue at = Native.mcp_value_first(from); Exists(at); at = Native.mcp_value_next(at)) {
                        string name = Library.Text(Native.mcp_value_string(Native.mcp_value_key(at), out length), length);
                        members.Add(new KeyValuePair<string, Json>(name, Read(at)));
                    }
                    return new Json(kind, members);
                default:
                    return kind == JsonKind.Null ? new Json(kind, null) : Absent;
            }
        }

        private static bool Exists(NativeValue value) => Native.mcp_value_type(value) != JsonKind.Absent;

        private static void Append(StringBuilder text, object value, int level) {
            if (level > MostLevels) {
                throw new ArgumentException("a value is nested deeper than " + MostLevels + " levels; does it contain itself?");
            }
            Json json = value as Json;
            if (json != null) {
                value = json.Kind == JsonKind.Object ? json.Members : json.Kind == JsonKind.Array ? json.Elements : json.value;
                if (json.Kind == JsonKind.Number || json.IsAbsent) {
                    text.Append(json.value);
                    return;
                }
            }
            if (value == null) {
                text.Append("null");
            } else if (value is string || value is Enum || value is char) {
                Quote(text, value.ToString());
            } else if (value is bool) {
                text.Append((bool)value ? "true" : "false");
            } else if (value is double || value is float) {
                AppendNumber(text, Convert.ToDouble(value), value);
            } else if (value is decimal || (value.GetType().IsPrimitive && !(value is IntPtr) && !(value is UIntPtr))) {
                text.Append(((IFormattable)value).ToString(null, CultureInfo.InvariantCulture));
            } else if (value is DateTime || value is DateTimeOffset) {
                Quote(text, ((IFormattable)value).ToString("o", CultureInfo.InvariantCulture));
            } else if (value is Guid || value is Uri) {
                Quote(text, value.ToString());
            } else if (value is byte[]) {
                Quote(text, Convert.ToBase64String((byte[])value));
            } else if (value is IEnumerable<KeyValuePair<string, Json>>) {
                AppendMembers(text, Pairs((IEnumerable<KeyValuePair<string, Json>>)value), level);
            } else if (value is IDictionary) {
                AppendMembers(text, Entries((IDictionary)value), level);
            } else if (value is IEnumerable) {
                AppendElements(text, (IEnumerable)value, level);
            } else if (IsOfSystem(value.GetType())) {
                throw new ArgumentException("a " + value.GetType() + " has no form in JSON; give a text or a number in its place");
            } else {
                AppendMembers(text, Properties(value), level);
            }
        }

        /// <summary>Whether .NET has a type, whose members are no JSON. A program may have a namespace SystemMonitor.</summary>
        internal static bool IsOfSystem(Type type) =>
            type.Namespace != null && (type.Namespace == "System" || type.Namespace.StartsWith("System.", StringComparison.Ordinal));

        private static void AppendNumber(StringBuilder text, double number, object value) {
            if (double.IsNaN(number) || double.IsInfinity(number)) {
                throw new ArgumentException("JSON has no number for " + number.ToString(CultureInfo.InvariantCulture));
            }
            text.Append(((IFormattable)value).ToString("R", CultureInfo.InvariantCulture));
        }

        private static void AppendElements(StringBuilder text, IEnumerable elements, int level) {
            char before = '[';
            foreach (object element in elements) {
                text.Append(before);
                Append(text, element, level + 1);
                before = ',';
            }
            text.Append(before == '[' ? "[]" : "]");
        }

        private static void AppendMembers(StringBuilder text, IEnumerable<KeyValuePair<string, object>> members, int level) {
            char before = '{';
            foreach (KeyValuePair<string, object> member in members) {
                if (member.Value is Json && ((Json)member.Value).IsAbsent) {
                    continue;
                }
                text.Append(before);
                Quote(text, member.Key);
                text.Append(':');
                Append(text, member.Value, level + 1);
                before = ',';
            }
            text.Append(before == '{' ? "{}" : "}");
        }

        private static IEnumerable<KeyValuePair<string, object>> Pairs(IEnumerable<KeyValuePair<string, Json>> members) {
            foreach (KeyValuePair<string, Json> member in members) {
                yield return new KeyValuePair<string, object>(member.Key, member.Value);
            }
        }

        private static IEnumerable<KeyValuePair<string, object>> Entries(IDictionary dictionary) {
            foreach (DictionaryEntry entry in dictionary) {
                string name = entry.Key as string;
                if (name == null) {
                    throw new ArgumentException("the key " + entry.Key + " of a dictionary is no text");
                }
                yield return new KeyValuePair<string, object>(name, entry.Value);
            }
        }

        private static IEnumerable<KeyValuePair<string, object>> Properties(object value) {
            foreach (PropertyInfo property in value.GetType().GetProperties(BindingFlags.Public | BindingFlags.Instance)) {
                if (property.CanRead && property.GetIndexParameters().Length == 0) {
                    yield return new KeyValuePair<string, object>(Shape.NameOf(property), property.GetValue(value));
                }
            }
            foreach (FieldInfo field in value.GetType().GetFields(BindingFlags.Public | BindingFlags.Instance)) {
                yield return new KeyValuePair<string, object>(Shape.NameOf(field), field.GetValue(value));
            }
        }

        private static void Quote(StringBuilder text, string content) {
            text.Append('"');
            for (int at = 0; at < content.Length; at++) {
                char letter = content[at];
                bool isPair = char.IsHighSurrogate(letter) && at + 1 < content.Length && char.IsLowSurrogate(content[at + 1]);
                if (isPair) {
                    text.Append(letter).Append(content[++at]);
                } else if (letter == '"' || letter == '\\') {
                    text.Append('\\').Append(letter);
                } else if (letter < ' ' || char.IsSurrogate(letter)) {
                    // Half of a pair, which UTF-8 cannot have.
                    text.Append("\\u").Append(((int)letter).ToString("x4", CultureInfo.InvariantCulture));
                } else {
                    text.Append(letter);
                }
            }
            text.Append('"');
        }
    }
}
