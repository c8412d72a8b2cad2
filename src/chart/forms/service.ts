export { getForm } from './answers.ts'
export { getOwnForm, listOwnForms, saveOwnForm, submitOwnForm } from './fill.ts'
export { listOfContact, mailForm, sendForm, withdrawForm } from './sending.ts'
export { createTemplate, getTemplate, listTemplates, publishDraft, saveDraft, setTemplateActive } from './templates.ts'
