export { addTask, addToTask, cancelUntouched } from './change.ts'
export { moveWithClock } from './clock.ts'
export { listTasks } from './read.ts'
