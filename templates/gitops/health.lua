-- What all checks begin with: reading what may be missing or of another type, and answering.
local function at(value, ...)
  for _, key in ipairs({...}) do
    if type(value) ~= "table" then
      return nil
    end
    value = value[key]
  end
  return value
end

local function text(...)
  local value = at(...)
  return type(value) == "string" and value or ""
end

local function list(...)
  local value = at(...)
  return type(value) == "table" and value or {}
end

local function answer(status, ...)
  local said = {}
  for _, part in ipairs({...}) do
    if part ~= "" then
      table.insert(said, tostring(part))
    end
  end
  return {status = status, message = table.concat(said, ": ")}
end

if at(obj, "metadata", "deletionTimestamp") ~= nil then
  return answer("Progressing", "it is being deleted")
end

