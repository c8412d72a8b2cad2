export { addTask, cancelUntouched } from './change.ts'
export { listTasks } from './read.ts'
