"""Messages to webhooks through the reference library of the Standard Webhooks specification."""

import json
import sys

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

if __name__ == "__main__":
    for message in json.loads(sys.argv[1]):
        headers, body = message["headers"], message["body"]
        for secret in message["secrets"]:
            data = Webhook(secret).verify(body, headers)
            assert data == json.loads(body), data
        for secret in message["wrong_secrets"]:
            try:
                Webhook(secret).verify(body, headers)
            except WebhookVerificationError:
                continue
            raise AssertionError("a wrong secret verifies")
        try:
            Webhook(message["secrets"][0]).verify(body + " ", headers)
        except WebhookVerificationError:
            continue
        raise AssertionError("a changed body verifies")
    print("well")
