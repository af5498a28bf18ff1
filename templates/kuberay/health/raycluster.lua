-- Healthy: the head is ready, all pods were at least once, and as many workers are ready as are
-- desired; where Ray scales them, as must be there at least. Suspended: RayClusterSuspended.
-- Degraded: KubeRay cannot make or delete a pod.
-- Not seen: KubeRay notes the generation only when it changes something else of the status, so it
-- is not asked for. An invalid cluster has no status at all, or keeps that of before: only an
-- event says so. An edit of a running cluster's pods is ignored by KubeRay and does not show.
local function number(...)
  local value = at(...)
  return type(value) == "number" and value or 0
end

local told, count = {}, 0
for _, condition in ipairs(list(obj, "status", "conditions")) do
  told[text(condition, "type")] = condition
  count = count + 1
end

local function is_true(kind)
  return text(told, kind, "status") == "True"
end

local function because(status, kind)
  return answer(status, kind, text(told, kind, "reason"), text(told, kind, "message"))
end

if count == 0 then
  return answer("Progressing", "KubeRay has said nothing yet; if it finds this invalid, in an event")
end
if is_true("ReplicaFailure") then
  return because("Degraded", "ReplicaFailure")
end
if is_true("RayClusterSuspended") then
  return answer("Suspended", "it is suspended")
end
if is_true("RayClusterSuspending") then
  return because("Progressing", "RayClusterSuspending")
end
for _, kind in ipairs({"HeadPodReady", "RayClusterProvisioned"}) do
  if not is_true(kind) then
    return because("Progressing", kind)
  end
end
local is_scaled = at(obj, "spec", "enableInTreeAutoscaling") == true
local ready = number(obj, "status", "readyWorkerReplicas")
local wanted = number(obj, "status", is_scaled and "minWorkerReplicas" or "desiredWorkerReplicas")
local status = ready < wanted and "Progressing" or "Healthy"
local least = is_scaled and "at least " or ""
return answer(status, "workers: " .. ready .. " ready, " .. least .. wanted .. " wanted")
