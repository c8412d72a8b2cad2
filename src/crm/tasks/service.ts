export { addTask, addToTask, cancelUntouched } from './change.ts'
export { addImportedTasks, type ImportedTask, removeUntouchedTasks } from './imported.ts'
export { moveWithClock } from './clock.ts'
export { assignablePeople, listTasks } from './read.ts'
