import type { ReactNode } from 'react'
import { useClock } from '../../../ui/client/session.ts'
import { Fact, Facts } from '../../../ui/display/Facts.tsx'
import { formatDateTime, formatDay, formatMoney } from '../../../ui/format.ts'
import { formatDevice } from '../../../shared/devices.ts'
import { dayAt } from '../../../shared/zoned-time.ts'
import { contactDirection } from '../rules.ts'
import type { DisputeDetails } from './dispute-data.ts'
import { formatChannel, formatVisit } from './labels.tsx'

/** Facts of the record from which the statement is proposed. */
export function EvidenceFacts({ evidence }: Pick<DisputeDetails, 'evidence'>) {
  const clock = useClock()
  const at = (instant: string | Date) => formatDateTime(instant, clock)
  const { payment, acceptances, receipt, serviceAt, visits, contacts, consents } = evidence
  return (
    <section aria-labelledby="dispute-facts" className="mt-5 border-t border-line pt-4">
      <h3 id="dispute-facts" className="pb-2 text-title font-semibold">
        Facts of the record
      </h3>
      <Facts>
        <Fact label="Started">
          {payment.isInPerson ? 'At a reader, with the card' : at(payment.startedAt)}
          {payment.address && <Small>{`${payment.device ? `${formatDevice(payment.device)}, ` : ''}${payment.address}`}</Small>}
        </Fact>
        {acceptances.map(({ title, text, acceptedAt, address }) => (
          <Fact key={`${title} ${acceptedAt}`} label="Accepted">
            {title}, {at(acceptedAt)}
            <Small>{address ? `“${text}” from ${address}` : `“${text}”`}</Small>
          </Fact>
        ))}
        <Fact label="Receipt">
          {receipt?.completedAt ? (
            `${receipt.number ?? ''} for ${formatMoney(receipt.totalCents)}, ${at(receipt.completedAt)}`.trim()
          ) : (
            <None>None yet</None>
          )}
        </Fact>
        <Fact label="Service date">
          {serviceAt ? formatDay(dayAt(new Date(serviceAt), clock.timeZone)) : <None>No attended visit, so none is submitted</None>}
        </Fact>
        <Fact label="Visits">
          <Several
            items={visits.map(({ startsAt, status }) => `${at(startsAt)}: ${formatVisit(status)}`)}
            none="None from a year before the payment to the dispute"
          />
        </Fact>
        <Fact label="Consents">
          {consents === null ? (
            <None>Only administrators, the front desk and billing see them</None>
          ) : (
            <>
              <Several
                items={consents.map(({ name, signedAt }) => (name === null ? `Signed ${at(signedAt)}` : `${name}, signed ${at(signedAt)}`))}
                none="None signed"
              />
              {consents.some(({ name }) => name === null) && <Small>Only administrators and the front desk see their names.</Small>}
            </>
          )}
        </Fact>
        <Fact label="Contacts">
          <Several
            items={contacts.map(
              ({ at: on, channel, isFromPatient }) => `${at(on)}: ${formatChannel(channel)}${contactDirection(isFromPatient)}`,
            )}
            none="None from a year before the payment to the dispute"
          />
        </Fact>
      </Facts>
    </section>
  )
}

const Small = ({ children }: { children: ReactNode }) => <span className="block text-xs break-words text-fg-3">{children}</span>
const None = ({ children }: { children: ReactNode }) => <span className="text-fg-3">{children}</span>

function Several({ items, none }: { items: readonly string[]; none: string }) {
  if (items.length === 0) return <None>{none}</None>
  return (
    <ul>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  )
}
