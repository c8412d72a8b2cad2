/** Breaks a long email address before the domain. */
export function BreakableEmail({ email }: { email: string }) {
  const at = email.lastIndexOf('@')
  return at < 0 ? (
    email
  ) : (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  )
}
