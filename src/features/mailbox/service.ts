export { connect, disconnect, finish, statusOf } from './connection.ts'
export { deleteDraft, findDraft, listDrafts, removeFile, saveDraft, sendDraft } from './drafts.ts'
export { link, unlink } from './links.ts'
export { changeThread, folders, newMessages, thread, threads } from './threads.ts'
