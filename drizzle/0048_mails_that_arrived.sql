-- A complaint, a delay and an automatic answer said so far that the mail had not arrived.
UPDATE messages SET status = 'sent', problem = CASE
  WHEN problem LIKE 'It did not arrive yet: Automatic email responder%' THEN NULL
  ELSE replace(problem, 'It did not arrive yet:', 'It may not have arrived:')
END
WHERE direction = 'outbound' AND status = 'bounced' AND problem NOT LIKE 'It came back:%';
