import type { CodeTarget } from '../contract.ts'
import { codeSeconds } from '../rules.ts'
import { RequestStage } from './RequestStage.tsx'
import { VerifyStage } from './VerifyStage.tsx'

/** Where a patient is before a session is open. */
export type CodeStage<Notice> =
  /** `notice`: why the patient is at the first step again. `isBack`: they came from another stage, so that the field gets the focus. */
  { name: 'request'; notice: Notice | null; isBack: boolean } | { name: 'verify'; until: number }

/** Back at the first step. */
export const requestAgain = <Notice,>(notice: Notice | null): CodeStage<Notice> => ({ name: 'request', notice, isBack: true })

interface CodeStagesProps<Notice, Session> {
  title: string
  email: string
  onEmail: (email: string) => void
  stage: CodeStage<Notice>
  onStage: (stage: CodeStage<Notice>) => void
  describe: (notice: Notice) => { text: string; isError: boolean }
  /** What the code opens; null: the portal. */
  opens: CodeTarget | null
  /** A code was sent to this address: the time to load what comes next. */
  onSent: (email: string) => void
  /** Exchanges the code for a session. */
  verify: (email: string, code: string) => Promise<Session>
  onVerified: (session: Session) => void
}

/** Asks for an email address, then for the code that is sent there. */
export function CodeStages<Notice, Session>(props: CodeStagesProps<Notice, Session>) {
  const { title, email, onEmail, stage, onStage, describe, opens, onSent, verify, onVerified } = props
  return (
    <>
      <h1 className="text-3xl font-semibold md:text-4xl">{title}</h1>
      {stage.name === 'request' ? (
        <RequestStage
          email={email}
          onEmail={onEmail}
          notice={stage.notice === null ? null : describe(stage.notice)}
          isBack={stage.isBack}
          opens={opens}
          onSent={(address) => {
            onEmail(address)
            onSent(address)
            onStage({ name: 'verify', until: Date.now() + codeSeconds * 1000 })
          }}
        />
      ) : (
        <VerifyStage
          email={email}
          until={stage.until}
          verify={verify}
          onVerified={onVerified}
          onResend={() => onStage(requestAgain<Notice>(null))}
        />
      )}
    </>
  )
}
