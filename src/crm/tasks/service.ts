export { addTask, addTasks, appendToTask, assigneesFor, cancelUntouched, closeTask } from './change.ts'
export { addImportedTasks, type ImportedTask, removeUntouchedTasks } from './imported.ts'
export { moveToTimeZone } from './time-zone.ts'
export { assignablePeople, listTasks } from './read.ts'
