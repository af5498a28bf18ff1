-- Healthy: Ready is True: its server is ready, takes several models, and has the memory.
-- Degraded: the server takes no further models, or has not the memory: it does not wait for either.
-- Nothing is suspended. Not seen: whether the server has loaded the model, or could.
local ready, failed = nil, nil
for _, condition in ipairs(list(obj, "status", "conditions")) do
  local kind, is_false = text(condition, "type"), text(condition, "status") == "False"
  if kind == "Ready" then
    ready = condition
  end
  if is_false and (kind == "IsMMSPredictor" or kind == "MemoryResourceAvailable") then
    failed = failed or condition
  end
end

if failed then
  return answer("Degraded", text(failed, "type"), text(failed, "reason"), text(failed, "message"))
end
if text(ready, "status") == "True" then
  return answer("Healthy", "its server knows it")
end
return answer("Progressing", "waiting for Ready", text(ready, "reason"), text(ready, "message"))
