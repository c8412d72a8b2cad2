export { countersignConsent, recordWithdrawal } from './decisions.ts'
export { isScanOfConsent, recordPaper } from './paper.ts'
export { getConsent, listOfContact, sealedFilesOf } from './read.ts'
export { consentsInForce, listOfSurgery } from './required.ts'
export { catchUpSeals, consentFileResponse, mailCopy, sealConsent, sealedFileResponse, timestampConsent } from './seal.ts'
export { cancelConsent, mailConsent, resendConsent, sendConsent, sendRequired } from './sending.ts'
export {
  askAboutOwnConsent,
  declineOwnConsent,
  findOwnFile,
  getOwnConsent,
  listOwnConsents,
  signOwnConsent,
  withdrawOwnConsent,
} from './sign.ts'
export { impactOf } from './impact.ts'
export { findCases, upcomingCases } from './surgeries.ts'
export { createTemplate, getTemplate, listTemplates, publishDraft, saveDraft, setTemplateActive } from './templates.ts'
