import type { Directory } from '../../../contacts/web/embed/directory.ts'
import type { Clock } from '../../../../web/ui/format.ts'
import type { ConversationData } from '../inbox-data.ts'
import { PatientPanel } from '../../../contacts/web/embed/PatientPanel.tsx'
import { UnknownSender } from './UnknownSender.tsx'

interface PersonPanelProps {
  conversation: ConversationData
  directory: Directory
  clock: Clock
}

/** Who writes. */
export function PersonPanel({ conversation, directory, clock }: PersonPanelProps) {
  return conversation.contact ? (
    <PatientPanel key={conversation.contact.id} contact={conversation.contact} directory={directory} clock={clock} />
  ) : (
    <UnknownSender conversation={conversation} />
  )
}
