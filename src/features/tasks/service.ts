export { addTask, addToTask, cancelUntouched } from './change.ts'
export { listTasks } from './read.ts'
