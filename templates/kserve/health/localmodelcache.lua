-- Healthy: all nodes that are to have the model have it. So is a cache without a node: pools that
-- grow on demand get their first node only once pods ask for it, and these come after the cache.
-- Degraded: a download failed; KServe does not try again until its Job is deleted.
-- Nothing is suspended. Not seen: files that a node has lost, and groups that are missing.
local copies = at(obj, "status", "copies")
if type(copies) ~= "table" then
  return answer("Progressing", "KServe has said nothing yet; a node group may be missing")
end
local total, available = at(copies, "total") or 0, at(copies, "available") or 0
local failed = at(copies, "failed")
if type(failed) == "number" and failed > 0 then
  return answer("Degraded", "downloads that failed", failed)
end
if available ~= total then
  local shown = tostring(available) .. " of " .. tostring(total)
  return answer("Progressing", "nodes that have the model", shown)
end
if total == 0 then
  return answer("Healthy", "no node is there that is to have it")
end
return answer("Healthy", "all nodes have the model")
