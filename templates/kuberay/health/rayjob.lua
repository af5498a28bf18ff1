-- Healthy: the job has run and has succeeded. Suspended: as it is wanted, until it is resumed.
-- Degraded: it failed, was stopped by somebody, or KubeRay finds it invalid.
-- Not seen: KubeRay does not read the spec of a job again, and notes no generation. What this says
-- is of the job as it was first applied.
local deployed, run = text(obj, "status", "jobDeploymentStatus"), text(obj, "status", "jobStatus")
local reason, message = text(obj, "status", "reason"), text(obj, "status", "message")
if deployed == "Complete" and run == "SUCCEEDED" then
  return answer("Healthy", run, message)
end
if deployed == "Complete" or deployed == "Failed" or deployed == "ValidationFailed" then
  return answer("Degraded", deployed, run, reason, message)
end
if deployed == "Suspended" then
  return answer("Suspended", deployed)
end
if deployed == "" then
  return answer("Progressing", "KubeRay has said nothing yet")
end
return answer("Progressing", deployed, run, message)
