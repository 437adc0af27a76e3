package io.libmcp;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Types of Java as JSON: their schemas, and their values in both directions. Objects are records, of which an {@link Optional} component
 * may be left out, and beans: classes with a constructor without parameters, whose properties may all be left out.
 */
final class Records {
    private Records() {
    }

    /** The parts of each type, found once. */
    private static final ClassValue<List<Part>> PARTS = new ClassValue<>() {
        @Override
        protected List<Part> computeValue(Class<?> type) {
            return parts(type);
        }
    };

    /**
     * A component of a record, or a property of a bean: {@code read} is a method or a field, {@code write} of a bean, too. {@code said} are
     * the places of its annotations.
     */
    private record Part(String name, Type type, AnnotatedElement[] said, Object read, Object write) {
        Part {
            name = Jackson.name(name, said);
        }

        boolean isIgnored() {
            return Jackson.isIgnored(said);
        }

        /** What the model reads about it; null for nothing. */
        String description() {
            for (AnnotatedElement place : said) {
                Description own = place == null ? null : place.getAnnotation(Description.class);
                if (own != null) {
                    return own.value();
                }
            }
            return Jackson.description(said);
        }

        Object of(Object owner) throws ReflectiveOperationException {
            return read instanceof Method method ? method.invoke(owner) : ((Field) read).get(owner);
        }

        void set(Object owner, Object value) throws ReflectiveOperationException {
            if (write instanceof Method method) {
                method.invoke(owner, value);
            } else {
                ((Field) write).set(owner, value);
            }
        }
    }

    /** The schema of a record or a bean, of version 2020-12. */
    static JsonValue schema(Class<?> type) {
        return schema(type, new ArrayList<>());
    }

    /** The schema of any type as the result of a tool, which must be an object: another becomes the member "result" of one. */
    static JsonValue resultSchema(Class<?> type) {
        if (isObject(type)) {
            return schema(type);
        }
        return JsonValue.of(Map.of("type", "object", "properties", Map.of("result", schemaOf(type, "the result", new ArrayList<>())),
                "required", List.of("result")));
    }

    /** Says whether a type has members: a record, or a bean. */
    static boolean isObject(Class<?> type) {
        return type.isRecord() || isBean(type);
    }

    /** A class of the program with a constructor without parameters and properties. */
    private static boolean isBean(Class<?> type) {
        boolean isOther = type.isPrimitive() || type.isArray() || type.isEnum() || type.isInterface() || isOfJdk(type);
        return !isOther && !Modifier.isAbstract(type.getModifiers()) && !Members.class.isAssignableFrom(type)
                && Arrays.stream(type.getDeclaredConstructors()).anyMatch(one -> one.getParameterCount() == 0) && !PARTS.get(type).isEmpty();
    }

    /** Says whether a class is the JDK's, whose fields are closed to other modules. */
    private static boolean isOfJdk(Class<?> type) {
        return type.getClassLoader() == null || type.getClassLoader() == ClassLoader.getPlatformClassLoader();
    }

    private static JsonValue schema(Class<?> type, List<Class<?>> within) {
        if (within.contains(type)) {
            throw new IllegalArgumentException(type.getName() + " contains itself, for which no schema is made; write the schema as JSON");
        }
        within.add(type);
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (Part part : partsOf(type)) {
            if (part.isIgnored()) {
                continue;
            }
            boolean isOptional = raw(part.type()) == Optional.class;
            Map<String, Object> schema = schemaOf(isOptional ? argument(part.type(), 0) : part.type(), part.name(), within);
            if (part.description() != null) {
                schema.put("description", part.description());
            }
            properties.put(part.name(), schema);
            if (!isOptional && (type.isRecord() || Jackson.isRequired(part.said()))) {
                required.add(part.name());
            }
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        within.removeLast();
        return JsonValue.of(schema);
    }

    private static Map<String, Object> schemaOf(Type type, String name, List<Class<?>> within) {
        Class<?> raw = raw(type);
        Map<String, Object> schema = new LinkedHashMap<>();
        Scalars.Scalar scalar = Scalars.of(raw);
        if (scalar != null) {
            schema.putAll(scalar.schema());
        } else if (raw.isEnum()) {
            schema.put("type", "string");
            schema.put("enum", Arrays.stream(raw.getEnumConstants()).map(one -> Jackson.name((Enum<?>) one)).toList());
        } else if (isList(raw)) {
            schema.put("type", "array");
            schema.put("items", schemaOf(element(type), name, within));
            if (Set.class.isAssignableFrom(raw)) {
                schema.put("uniqueItems", true);
            }
        } else if (raw == Map.class) {
            schema.put("type", "object");
            schema.put("additionalProperties", schemaOf(argument(type, 1), name, within));
        } else if (isObject(raw)) {
            schema(raw, within).members().forEach(schema::put);
        } else if (raw != JsonValue.class && raw != Object.class) {
            throw new IllegalArgumentException(name + ": a " + type.getTypeName() + " has no schema; use texts, numbers, booleans, enums, "
                    + "dates and times, UUID, byte[], arrays, lists, sets, maps, records, beans, Optional, Object or JsonValue");
        }
        return schema;
    }

    /** Says whether a type is an array of JSON: an array but for bytes, or one of the interfaces that are read as a list or a set. */
    private static boolean isList(Class<?> raw) {
        return raw.isArray() || raw == List.class || raw == Collection.class || raw == Iterable.class || raw == Set.class;
    }

    private static Type element(Type type) {
        return type instanceof GenericArrayType array ? array.getGenericComponentType()
                : raw(type).isArray() ? raw(type).getComponentType() : argument(type, 0);
    }

    /** A record or a bean; null for what is neither. Properties of a bean that are null are left out. */
    static JsonValue encode(Object value) {
        if (!isObject(value.getClass())) {
            return null;
        }
        Map<String, JsonValue> members = new LinkedHashMap<>();
        for (Part part : partsOf(value.getClass())) {
            if (part.isIgnored()) {
                continue;
            }
            try {
                Object member = part.of(value);
                JsonValue json = JsonValue.of(member);
                if (!json.isAbsent() && (member != null || value instanceof Record)) {
                    members.put(part.name(), json);
                }
            } catch (ReflectiveOperationException failure) {
                throw new IllegalArgumentException(part.name() + " of " + value.getClass().getName() + " cannot be read", failure);
            }
        }
        return new JsonValue.JsonObject(members);
    }

    static Object decode(JsonValue value, Type type, String at) {
        Class<?> raw = raw(type);
        Object read = null;
        Scalars.Scalar scalar = Scalars.of(raw);
        if (raw == JsonValue.class) {
            return value;
        } else if (raw == Optional.class) {
            boolean isThere = !value.isAbsent() && !(value instanceof JsonValue.JsonNull);
            return isThere ? Optional.of(decode(value, argument(type, 0), at)) : Optional.empty();
        } else if (raw == Object.class) {
            return plain(value);
        } else if (scalar != null) {
            try {
                read = scalar.read().apply(value);
            } catch (DateTimeException | IllegalArgumentException unfit) {
                throw new IllegalArgumentException(at + ": " + value + " does not fit the type " + type.getTypeName() + ": " + unfit.getMessage(), unfit);
            }
        } else if (raw.isEnum()) {
            read = Arrays.stream(raw.getEnumConstants()).filter(one -> Jackson.name((Enum<?>) one).equals(value.asText())).findFirst().orElse(null);
        } else if (isList(raw) && value instanceof JsonValue.JsonArray array) {
            List<Object> all = new ArrayList<>();
            for (JsonValue element : array.elements()) {
                all.add(decode(element, element(type), at + "[" + all.size() + "]"));
            }
            return raw.isArray() ? array(raw.getComponentType(), all) : raw == Set.class ? new LinkedHashSet<>(all) : all;
        } else if (raw == Map.class && value instanceof JsonValue.JsonObject object) {
            Map<String, Object> all = new LinkedHashMap<>();
            // Of a Map that says nothing of its values they are as they come.
            Type of = type == Map.class ? Object.class : argument(type, 1);
            object.members().forEach((name, member) -> all.put(name, decode(member, of, at + "." + name)));
            return all;
        } else if (raw.isRecord() && value instanceof JsonValue.JsonObject object) {
            return record(object, raw, at);
        } else if (isBean(raw) && value instanceof JsonValue.JsonObject object) {
            return bean(object, raw, at);
        }
        if (read == null) {
            throw new IllegalArgumentException(at + (value.isAbsent() ? " is missing; its type is " : ": " + value + " does not fit the type ") + type.getTypeName());
        }
        return read;
    }

    /** What Java has for any JSON: a text, a truth value, a number, a list, a map, or null. */
    private static Object plain(JsonValue value) {
        return switch (value) {
            case JsonValue.JsonString string -> string.text();
            case JsonValue.JsonBoolean bool -> bool.value();
            case JsonValue.JsonNumber number -> number.asLong() != null ? (Object) number.asLong() : number.asDouble();
            case JsonValue.JsonArray array -> {
                List<Object> all = new ArrayList<>();
                array.elements().forEach(element -> all.add(plain(element)));
                yield all;
            }
            case JsonValue.JsonObject object -> {
                Map<String, Object> all = new LinkedHashMap<>();
                object.members().forEach((name, member) -> all.put(name, plain(member)));
                yield all;
            }
            default -> null;
        };
    }

    private static Object array(Class<?> of, List<Object> elements) {
        Object array = Array.newInstance(of, elements.size());
        for (int i = 0; i < elements.size(); i++) {
            Array.set(array, i, elements.get(i));
        }
        return array;
    }

    private static Object record(JsonValue.JsonObject value, Class<?> raw, String at) {
        List<Part> parts = PARTS.get(raw);
        Object[] arguments = new Object[parts.size()];
        for (int i = 0; i < arguments.length; i++) {
            Part part = parts.get(i);
            arguments[i] = part.isIgnored() ? nothing(part.type()) : decode(value.get(part.name()), part.type(), at + "." + part.name());
        }
        return made(raw, at, Arrays.stream(raw.getRecordComponents()).map(RecordComponent::getType).toArray(Class<?>[]::new), arguments);
    }

    /** What a component has that JSON says nothing of: null, an empty Optional, or the zero of a primitive type. */
    private static Object nothing(Type type) {
        return raw(type) == Optional.class ? Optional.empty() : Array.get(Array.newInstance(raw(type), 1), 0);
    }

    private static Object bean(JsonValue.JsonObject value, Class<?> raw, String at) {
        Object bean = made(raw, at, new Class<?>[0]);
        for (Part part : PARTS.get(raw)) {
            JsonValue member = value.get(part.name());
            if (part.write() == null || member.isAbsent() || part.isIgnored()) {
                continue;
            }
            try {
                boolean isNull = member instanceof JsonValue.JsonNull && !raw(part.type()).isPrimitive();
                part.set(bean, isNull && raw(part.type()) != JsonValue.class ? null : decode(member, part.type(), at + "." + part.name()));
            } catch (InvocationTargetException refused) {
                throw new IllegalArgumentException(at + "." + part.name() + ": " + refused.getCause().getMessage(), refused.getCause());
            } catch (ReflectiveOperationException failure) {
                throw new IllegalArgumentException(at + "." + part.name() + " of " + raw.getName() + " cannot be set", failure);
            }
        }
        return bean;
    }

    private static Object made(Class<?> raw, String at, Class<?>[] types, Object... arguments) {
        try {
            Constructor<?> constructor = raw.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException refused) {
            throw new IllegalArgumentException(at + ": " + refused.getCause().getMessage(), refused.getCause());
        } catch (ReflectiveOperationException failure) {
            throw new IllegalArgumentException(at + ": a " + raw.getName() + " cannot be made", failure);
        }
    }

    private static List<Part> partsOf(Class<?> type) {
        if (!isObject(type)) {
            throw new IllegalArgumentException(type.getName() + " is neither a record nor a class with properties and a constructor without "
                    + "parameters, and only these become an object of JSON");
        }
        return PARTS.get(type);
    }

    private static List<Part> parts(Class<?> type) {
        List<Part> parts = new ArrayList<>();
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                component.getAccessor().setAccessible(true);
                // Jackson's annotations cannot be put on components: the compiler puts them on the fields and accessors it makes of these.
                AnnotatedElement[] said = {component, field(type, component.getName()), component.getAccessor()};
                parts.add(new Part(component.getName(), component.getGenericType(), said, component.getAccessor(), null));
            }
            return List.copyOf(parts);
        }
        Map<String, Part> found = new LinkedHashMap<>();
        // Those of a class come in the order of its fields, which reflection keeps, those of its parents first.
        List<Class<?>> line = new ArrayList<>();
        for (Class<?> at = type; !isOfJdk(at); at = at.getSuperclass()) {
            line.addFirst(at);
        }
        for (Class<?> at : line) {
            for (Field field : at.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || Modifier.isTransient(field.getModifiers()) || field.isSynthetic()) {
                    continue;
                }
                Method getter = method(type, "get", field.getName());
                if (getter == null && (field.getType() == boolean.class || field.getType() == Boolean.class)) {
                    getter = method(type, "is", field.getName());
                }
                Method setter = method(type, "set", field.getName(), field.getType());
                boolean isOpen = Modifier.isPublic(field.getModifiers());
                if (getter != null || isOpen) {
                    Object write = setter != null ? setter : Modifier.isFinal(field.getModifiers()) ? null : field;
                    if (getter == null || write == field) {
                        field.setAccessible(true);
                    }
                    found.put(field.getName(), new Part(field.getName(), field.getGenericType(),
                            new AnnotatedElement[] {field, getter, setter}, getter != null ? getter : field, write));
                }
            }
        }
        return List.copyOf(found.values());
    }

    private static Field field(Class<?> type, String name) {
        try {
            return type.getDeclaredField(name);
        } catch (NoSuchFieldException missing) {
            return null;
        }
    }

    private static Method method(Class<?> type, String verb, String name, Class<?>... parameters) {
        try {
            Method method = type.getMethod(verb + Character.toUpperCase(name.charAt(0)) + name.substring(1), parameters);
            method.setAccessible(true);
            return Modifier.isStatic(method.getModifiers()) ? null : method;
        } catch (NoSuchMethodException missing) {
            return null;
        }
    }

    private static Class<?> raw(Type type) {
        return switch (type) {
            case Class<?> plain -> plain;
            case ParameterizedType generic -> (Class<?>) generic.getRawType();
            case GenericArrayType array -> raw(array.getGenericComponentType()).arrayType();
            case WildcardType wildcard -> raw(wildcard.getUpperBounds()[0]);
            default -> throw new IllegalArgumentException(type.getTypeName() + " is a variable, of which no type is known; write it out");
        };
    }

    private static Type argument(Type type, int index) {
        if (type instanceof ParameterizedType generic) {
            return generic.getActualTypeArguments()[index];
        }
        throw new IllegalArgumentException(type.getTypeName() + ": its elements have no type that is known");
    }
}
