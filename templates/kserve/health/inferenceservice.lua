-- Healthy: Ready and every other condition but Stopped are True, each component's newest revision
-- is ready, and no model is being loaded. A transition InProgress alone does not count: KServe
-- says so for ever of a service that is scaled to zero. Suspended: Stopped is True.
-- Degraded: the spec is invalid, a model cannot be loaded, or KServe failed to make something.
-- Not seen: observedGeneration is that of a child, so that right after an edit all of this may
-- speak of what was before; without Knative, Ready may mean pods of the older version.
local ready, failed, waiting = false, nil, nil
for _, condition in ipairs(list(obj, "status", "conditions")) do
  local kind, is_true = text(condition, "type"), text(condition, "status") == "True"
  if kind == "Stopped" and is_true then
    return answer("Suspended", "it is stopped")
  end
  if kind == "Ready" then
    ready = is_true
  end
  if kind ~= "Stopped" and not is_true then
    waiting = waiting or condition
    if text(condition, "reason") == "ReconcileFailed" then
      failed = failed or condition
    end
  end
end

local transition = text(obj, "status", "modelStatus", "transitionStatus")
if transition == "InvalidSpec" or transition == "BlockedByFailedLoad" then
  local info = list(obj, "status", "modelStatus", "lastFailureInfo")
  return answer("Degraded", transition, text(info, "reason"), text(info, "message"))
end
if failed then
  return answer("Degraded", text(failed, "type"), "ReconcileFailed", text(failed, "message"))
end
if waiting then
  local kind, reason = text(waiting, "type"), text(waiting, "reason")
  return answer("Progressing", "waiting for " .. kind, reason, text(waiting, "message"))
end
if not ready then
  return answer("Progressing", "KServe has said nothing yet")
end
for _, name in ipairs({"predictor", "transformer", "explainer"}) do
  local component = list(obj, "status", "components", name)
  local newest = text(component, "latestCreatedRevision")
  if newest ~= text(component, "latestReadyRevision") then
    return answer("Progressing", name, newest .. " is not ready yet")
  end
end
if text(obj, "status", "modelStatus", "states", "targetModelState") == "Loading" then
  return answer("Progressing", "a model is being loaded")
end
return answer("Healthy", "Ready, as far as KServe has seen the latest spec")
