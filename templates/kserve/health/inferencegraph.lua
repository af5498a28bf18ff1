-- Healthy: Ready is True. Degraded: Ready is False, as Knative says of a revision that cannot run.
-- Suspended: Stopped is True. A graph without a status may wait for a service that it calls.
-- Not seen, in Standard mode: Ready becomes True with the first pod and never False again, and
-- observedGeneration is that of the Deployment. In neither mode: services that were lost later.
local ready = nil
for _, condition in ipairs(list(obj, "status", "conditions")) do
  local kind = text(condition, "type")
  if kind == "Stopped" and text(condition, "status") == "True" then
    return answer("Suspended", "it is stopped")
  end
  if kind == "Ready" then
    ready = condition
  end
end

local status, reason, message = text(ready, "status"), text(ready, "reason"), text(ready, "message")
if status == "True" then
  return answer("Healthy", "Ready, as far as KServe has seen its router")
end
if status == "False" then
  return answer("Degraded", "not Ready", reason, message)
end
if ready then
  return answer("Progressing", "waiting for Ready", reason, message)
end
return answer("Progressing", "KServe has said nothing yet; a service that it calls may be missing")
