export { addFollowUp, addToChecklist, followCheckIn } from './red-flags.ts'
export { getForm } from './answers.ts'
export { decideReview, endReview, getReview, listToReview } from './review.ts'
export { getOwnForm, listOwnForms, saveOwnForm, submitOwnForm, takesFiles } from './fill.ts'
export {
  endOpenForms,
  insertForm,
  listOfContact,
  mailForm,
  openForms,
  resendForm,
  sendBookedForms,
  sendForm,
  withdrawForm,
} from './sending.ts'
export {
  createTemplate,
  currentVersion as currentFormVersion,
  getTemplate,
  listTemplates,
  publishDraft,
  saveDraft,
  setTemplateActive,
} from './templates.ts'
