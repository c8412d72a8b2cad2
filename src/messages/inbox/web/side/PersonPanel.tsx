import { useContext } from 'react'
import type { Directory } from '../../../../crm/contacts/web/embed/directory.ts'
import type { Clock } from '../../../../ui/format.ts'
import type { ConversationData } from '../inbox-data.ts'
import { PatientPanel } from '../../../../crm/contacts/web/embed/PatientPanel.tsx'
import { PatientCard } from '../embed/patient-card.ts'
import { NextVisit } from './NextVisit.tsx'
import { ReachPanel } from './ReachPanel.tsx'
import { UnknownSender } from './UnknownSender.tsx'

interface PersonPanelProps {
  conversation: ConversationData
  directory: Directory
  clock: Clock
}

/** Who writes: how a patient can be contacted, what comes next, and their record; or who an unknown sender may be. */
export function PersonPanel({ conversation, directory, clock }: PersonPanelProps) {
  const { contact, ways } = conversation
  const renderCard = useContext(PatientCard)
  if (!contact) return <UnknownSender conversation={conversation} />
  return (
    <>
      <ReachPanel contactId={contact.id} ways={ways} clock={clock} />
      <NextVisit contactId={contact.id} people={directory.people} clock={clock} />
      {renderCard({ contactId: contact.id, clock })}
      <PatientPanel key={contact.id} contact={contact} directory={directory} clock={clock} />
    </>
  )
}
