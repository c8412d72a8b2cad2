/** Makes keys and seals in a worker process, which sealing.ts starts. */
import { runWorker } from '../../kernel/workers/worker-process.ts'
import { createKey, exportKey } from './certificate.ts'
import { seal } from './seal.ts'
import type { SealingTask } from './sealing.ts'

runWorker((task: SealingTask) => {
  if (task.do === 'create-key') return createKey(task)
  if (task.do === 'export-key') return exportKey(task)
  return seal(task)
})
