package io.libmcp;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Records as JSON: their schemas, and their values in both directions. An {@link Optional} component may be left out. */
final class Records {
    private Records() {
    }

    /** The schema of a record, of version 2020-12. */
    static JsonValue schema(Class<?> record) {
        return schema(record, new ArrayList<>());
    }

    private static JsonValue schema(Class<?> record, List<Class<?>> within) {
        if (within.contains(record)) {
            throw new IllegalArgumentException(record.getName() + " contains itself, for which no schema is made; write the schema as JSON");
        }
        within.add(record);
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (RecordComponent component : components(record)) {
            Type type = component.getGenericType();
            boolean isOptional = raw(type) == Optional.class;
            Map<String, Object> schema = schemaOf(isOptional ? argument(type, 0) : type, component.getName(), within);
            Description description = component.getAnnotation(Description.class);
            if (description != null) {
                schema.put("description", description.value());
            }
            properties.put(component.getName(), schema);
            if (!isOptional) {
                required.add(component.getName());
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
        if (raw == String.class) {
            schema.put("type", "string");
        } else if (raw == int.class || raw == Integer.class || raw == long.class || raw == Long.class) {
            schema.put("type", "integer");
        } else if (raw == double.class || raw == Double.class || raw == float.class || raw == Float.class || raw == BigDecimal.class) {
            schema.put("type", "number");
        } else if (raw == boolean.class || raw == Boolean.class) {
            schema.put("type", "boolean");
        } else if (raw.isEnum()) {
            schema.put("type", "string");
            schema.put("enum", Arrays.stream(raw.getEnumConstants()).map(one -> ((Enum<?>) one).name()).toList());
        } else if (raw == List.class) {
            schema.put("type", "array");
            schema.put("items", schemaOf(argument(type, 0), name, within));
        } else if (raw == Map.class) {
            schema.put("type", "object");
            schema.put("additionalProperties", schemaOf(argument(type, 1), name, within));
        } else if (raw.isRecord()) {
            schema(raw, within).members().forEach(schema::put);
        } else if (raw != JsonValue.class) {
            throw new IllegalArgumentException(name + ": a " + type.getTypeName()
                    + " has no schema; use texts, numbers, booleans, enums, lists, maps, records, Optional or JsonValue");
        }
        return schema;
    }

    static JsonValue encode(Record record) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        for (RecordComponent component : components(record.getClass())) {
            try {
                component.getAccessor().setAccessible(true);
                JsonValue value = JsonValue.of(component.getAccessor().invoke(record));
                if (!value.isAbsent()) {
                    members.put(component.getName(), value);
                }
            } catch (ReflectiveOperationException failure) {
                throw new IllegalArgumentException(component.getName() + " of " + record.getClass().getName() + " cannot be read", failure);
            }
        }
        return new JsonValue.JsonObject(members);
    }

    static Object decode(JsonValue value, Type type, String at) {
        Class<?> raw = raw(type);
        Object read;
        if (raw == JsonValue.class) {
            return value;
        } else if (raw == Optional.class) {
            boolean isThere = !value.isAbsent() && !(value instanceof JsonValue.JsonNull);
            return isThere ? Optional.of(decode(value, argument(type, 0), at)) : Optional.empty();
        } else if (raw == String.class) {
            read = value.asText();
        } else if (raw == int.class || raw == Integer.class) {
            Long number = value.asLong();
            read = number != null && number == number.intValue() ? number.intValue() : null;
        } else if (raw == long.class || raw == Long.class) {
            read = value.asLong();
        } else if (raw == double.class || raw == Double.class) {
            read = value.asDouble();
        } else if (raw == float.class || raw == Float.class) {
            Double number = value.asDouble();
            read = number == null ? null : number.floatValue();
        } else if (raw == BigDecimal.class) {
            read = value instanceof JsonValue.JsonNumber number ? new BigDecimal(number.digits()) : null;
        } else if (raw == boolean.class || raw == Boolean.class) {
            read = value.asBoolean();
        } else if (raw.isEnum()) {
            read = Arrays.stream(raw.getEnumConstants()).filter(one -> ((Enum<?>) one).name().equals(value.asText())).findFirst().orElse(null);
        } else if (raw == List.class && value instanceof JsonValue.JsonArray array) {
            List<Object> all = new ArrayList<>();
            for (JsonValue element : array.elements()) {
                all.add(decode(element, argument(type, 0), at + "[" + all.size() + "]"));
            }
            return all;
        } else if (raw == Map.class && value instanceof JsonValue.JsonObject object) {
            Map<String, Object> all = new LinkedHashMap<>();
            object.members().forEach((name, member) -> all.put(name, decode(member, argument(type, 1), at + "." + name)));
            return all;
        } else if (raw.isRecord() && value instanceof JsonValue.JsonObject object) {
            return record(object, raw, at);
        } else {
            read = null;
        }
        if (read == null) {
            throw new IllegalArgumentException(at + (value.isAbsent() ? " is missing; its type is " : ": " + value + " does not fit the type ") + type.getTypeName());
        }
        return read;
    }

    private static Object record(JsonValue.JsonObject value, Class<?> raw, String at) {
        RecordComponent[] components = components(raw);
        Object[] arguments = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            String name = components[i].getName();
            arguments[i] = decode(value.get(name), components[i].getGenericType(), at + "." + name);
        }
        try {
            Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            Constructor<?> constructor = raw.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException refused) {
            throw new IllegalArgumentException(at + ": " + refused.getCause().getMessage(), refused.getCause());
        } catch (ReflectiveOperationException failure) {
            throw new IllegalArgumentException(at + ": a " + raw.getName() + " cannot be made", failure);
        }
    }

    private static RecordComponent[] components(Class<?> type) {
        if (!type.isRecord()) {
            throw new IllegalArgumentException(type.getName() + " is no record, and only a record becomes an object of JSON");
        }
        return type.getRecordComponents();
    }

    private static Class<?> raw(Type type) {
        return type instanceof ParameterizedType generic ? (Class<?>) generic.getRawType() : (Class<?>) type;
    }

    private static Type argument(Type type, int index) {
        if (type instanceof ParameterizedType generic && generic.getActualTypeArguments()[index] instanceof Type argument
                && (argument instanceof Class || argument instanceof ParameterizedType)) {
            return argument;
        }
        throw new IllegalArgumentException(type.getTypeName() + ": its elements have no type that is known");
    }
}
